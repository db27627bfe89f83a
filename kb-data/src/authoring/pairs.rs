//! Which pairs of rows are worth comparing: those that say different things and whose sets may meet.
//!
//! A table may have a hundred thousand rows under one key, so not every pair is looked at. Each row's set becomes an
//! interval of ranks (its hull); a sweep over the intervals meets every pair whose hulls overlap, and rows with equal
//! values are passed over together.

use std::collections::HashMap;
use std::hash::Hash;

/// A hull: the first and the last rank that the set of a row may reach.
pub(super) type Hull = (u32, u32);

/// The hull of a set without bounds.
pub(super) const EVERYTHING: Hull = (0, u32::MAX);

/// Calls `compare` for every two rows with overlapping hulls and different classes, the smaller index first.
pub(super) fn sweep<C: Hash + Eq>(rows: &[(Hull, C)], mut compare: impl FnMut(usize, usize)) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|i| (rows[*i].0.0, *i));
    // The rows that the sweep is inside of, by class.
    let mut open: HashMap<&C, Vec<usize>> = HashMap::new();
    for &next in &order {
        let ((start, _), class) = &rows[next];
        open.retain(|other, inside| {
            if *other == class {
                return true;
            }
            inside.retain(|i| rows[*i].0.1 >= *start);
            inside.iter().for_each(|i| compare(next.min(*i), next.max(*i)));
            !inside.is_empty()
        });
        open.entry(class).or_default().push(next);
    }
}

/// Ranks for the bounds of sets: equal bounds have equal ranks, and 0 and `u32::MAX` are left for "no bound".
pub(super) fn ranks<T>(mut points: Vec<T>, compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Vec<T> {
    points.sort_by(&compare);
    points.dedup_by(|a, b| compare(a, b).is_eq());
    points
}

/// The rank of a bound among those of [`ranks`].
pub(super) fn rank<T>(points: &[T], point: &T, compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> u32 {
    let at = points.partition_point(|p| compare(p, point).is_lt());
    u32::try_from(at).map_or(u32::MAX - 1, |at| at.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meets_what_every_pair_would() {
        // A fixed sequence of numbers: enough shapes, the same each time.
        let mut seed = 7u32;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for _ in 0..200 {
            let rows: Vec<(Hull, u32)> = (0..next(12))
                .map(|_| {
                    let low = next(8);
                    ((low, low + next(4)), next(3))
                })
                .collect();
            let mut found = Vec::new();
            sweep(&rows, |a, b| found.push((a, b)));
            found.sort_unstable();
            let meet = |a: &(Hull, u32), b: &(Hull, u32)| a.0.0 <= b.0.1 && b.0.0 <= a.0.1 && a.1 != b.1;
            let expected: Vec<(usize, usize)> = (0..rows.len())
                .flat_map(|a| (a + 1..rows.len()).map(move |b| (a, b)))
                .filter(|(a, b)| meet(&rows[*a], &rows[*b]))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
