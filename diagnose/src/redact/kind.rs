//! What is private, and what stands in its place.
//!
//! Placeholders of addresses are those that are reserved for documents, so that what reads a line as such still does.

/// A kind of private value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// Name of an account.
    User,
    /// Name of a machine.
    Host,
    /// What stands behind the names of machines; together they are a host.
    Domain,
    /// E-mail address.
    Mail,
    /// IPv4 address.
    Ip4,
    /// IPv6 address.
    Ip6,
    /// Address of a network card.
    Mac,
    /// UUID of a GPU, a machine, a disk.
    Uuid,
    /// Password, token, key.
    Token,
    /// Name and password in an address.
    Credentials,
    /// Serial number, machine id.
    Serial,
}

impl Kind {
    /// Shorter values are replaced only where their place tells what they are.
    pub(super) fn shortest(self) -> usize {
        match self {
            Kind::User | Kind::Host => 3,
            Kind::Serial | Kind::Credentials => 6,
            Kind::Token => 4,
            _ => 2,
        }
    }

    /// Does it look like a version?
    pub(super) fn is_number(self) -> bool {
        matches!(self, Kind::Ip4 | Kind::Serial)
    }

    /// What stands in the place of a value.
    pub(super) fn placeholder(self, number: usize, value: &str) -> String {
        match self {
            Kind::User => format!("user{number}"),
            Kind::Host | Kind::Domain => format!("host{number}"),
            Kind::Mail => format!("mail{number}@example.com"),
            Kind::Ip4 => {
                let network = ["192.0.2", "198.51.100", "203.0.113"][(number - 1) / 254 % 3];
                format!("{network}.{}", (number - 1) % 254 + 1)
            }
            Kind::Ip6 => format!("2001:db8::{number:x}"),
            Kind::Mac => {
                let dash = if value.contains('-') { '-' } else { ':' };
                format!("00:00:5e:00:53:{:02x}", number % 256).replace(':', &dash.to_string())
            }
            Kind::Uuid => format!("00000000-0000-0000-0000-{number:012}"),
            Kind::Token => format!("token{number}"),
            Kind::Credentials => format!("credentials{number}"),
            Kind::Serial => format!("serial{number}"),
        }
    }
}
