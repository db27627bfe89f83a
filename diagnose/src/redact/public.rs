//! Names that are nobody's: accounts that every system has, and words that messages are made of.

use super::domains;
use super::kind::Kind;
use kb_core::kb::Kb;
use std::collections::HashSet;

/// Accounts, machines and values that tell nothing of anybody.
const NOBODY: &str = "\
user users username root admin administrator ubuntu debian centos fedora nobody public default shared guest home \
runner runneradmin vsts vscode jovyan ec2-user azureuser opc vagrant docker container linuxbrew conda anaconda miniconda \
name your yourname your_name youruser youruser you me xxx xxxx all-users defaultuser defaultappool system local localhost \
localdomain localhost.localdomain service daemon wheel staff sudo adm video render kernel none null nil true false yes no n/a \
unknown undefined test tests example my myuser desktop-user kali pi nvidia cuda cudnn torch pytorch tensorflow paddle jax \
python python3 pip lib lib64 bin src data work workspace project projects app opt tmp var usr etc dev mnt env envs venv \
git file host hostname node linux windows darwin macos wsl wsl$ wsl.localhost sha256 sha512 info debug warning warn error \
critical fatal notice trace gpu cpu";

/// Words in reports whose readers must find them again; those of messages come from the knowledge base.
const REPORTS: &str = "\
driver version library libraries path paths package packages memory process processes name type index wheel \
release build built compiled runtime platform processor machine architecture module model number serial uuid \
installed location requires summary collecting environment information available usage power temp fan persistence \
compute mode default enabled disabled active display bus volatile id ecc mig user host found missing failed failure error \
file line import from the and for with not this that site packages dist bin include main server cluster login master \
worker rank local global world size device devices card cards product brand table list show system linux windows";

/// What is never private.
#[derive(Debug)]
pub(super) struct Public {
    nobody: HashSet<&'static str>,
    words: HashSet<String>,
}

impl Public {
    pub(super) fn new(kb: &Kb) -> Self {
        let mut words: HashSet<String> = REPORTS.split_whitespace().map(str::to_owned).collect();
        let mut add = |text: &str| {
            let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 1);
            words.extend(parts.map(str::to_lowercase));
            words.insert(text.to_lowercase());
        };
        for signature in &kb.signatures {
            signature.needles.iter().for_each(|needle| add(needle));
            signature.pattern.iter().for_each(|pattern| add(pattern));
        }
        kb.packages.iter().for_each(|package| add(&package.id));
        kb.gpus.iter().for_each(|gpu| add(&gpu.name));
        kb_core::observe::NAMES.iter().for_each(|name| add(name));
        Public { nobody: NOBODY.split_whitespace().collect(), words }
    }

    /// May this stay even where its place says that it is a name?
    pub(super) fn is_nobody(&self, kind: Kind, value: &str) -> bool {
        let lower = value.to_lowercase();
        if is_placeholder(&lower) {
            return true;
        }
        match kind {
            Kind::User | Kind::Host => {
                (kind == Kind::Host && domains::is_public(&lower))
                    || self.nobody.contains(&*lower)
                    // `$USER`, `%USERNAME%`, `<user>`, `{name}`, `***`, `...`: nothing to hide.
                    || lower.starts_with(['$', '%', '<', '{', '*', '.', '['])
                    || lower.chars().all(|c| c.is_ascii_digit() || c == '.')
            }
            // Behind its name every word is a password.
            Kind::Token => false,
            _ => self.nobody.contains(&*lower),
        }
    }

    /// A word that messages or reports have in them: it stays where nothing says that it is a name.
    pub(super) fn is_word(&self, value: &str) -> bool {
        let lower = value.to_lowercase();
        self.words.contains(&lower) || self.nobody.contains(&*lower)
    }
}

/// What stands for a name already: `user1`, `host12`.
fn is_placeholder(lower: &str) -> bool {
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < lower.len() && matches!(word, "user" | "host" | "token" | "serial" | "credentials" | "mail")
}
