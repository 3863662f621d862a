//! The transposition table and the evaluation cache.

use crate::game::{Move, Score};

/// What is known of a position: depth, bounds of its score, and best move.
#[derive(Clone, Copy, Default)]
pub struct Entry<M> {
    /// Depth searched, in plies.
    pub depth: i32,
    /// Lower bound of the score.
    pub low: Score,
    /// Upper bound of the score.
    pub high: Score,
    /// The best move, or none.
    pub best: M,
}

#[derive(Clone, Copy, Default)]
struct Slot<M> {
    key: [u64; 2],
    /// The generation in which it was written; slots of other generations are empty.
    life: u32,
    entry: Entry<M>,
}

/// A hash table by position key; clearing it only starts a new generation.
struct Half<M> {
    slots: Vec<Slot<M>>,
    life: u32,
    len: usize,
}

impl<M: Move> Half<M> {
    fn new() -> Half<M> {
        Half { slots: vec![Slot::default(); 1 << 10], life: 1, len: 0 }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.life = self.life.wrapping_add(1);
        if self.life == 0 {
            *self = Half::new();
        }
    }

    /// The slot of a key: where it is, or where it would go.
    #[inline(always)]
    fn place(&self, key: [u64; 2]) -> usize {
        let last = self.slots.len() - 1;
        let mut place = (key[0] ^ key[1]) as usize & last;
        while self.slots[place].life == self.life && self.slots[place].key != key {
            place = (place + 1) & last;
        }
        place
    }

    #[inline(always)]
    fn get(&self, key: [u64; 2]) -> Option<&Entry<M>> {
        let slot = &self.slots[self.place(key)];
        (slot.life == self.life).then_some(&slot.entry)
    }

    fn put(&mut self, key: [u64; 2], entry: Entry<M>) {
        let mut place = self.place(key);
        if self.slots[place].life != self.life {
            self.len += 1;
            if self.len * 2 > self.slots.len() {
                self.grow();
                place = self.place(key);
            }
        }
        self.slots[place] = Slot { key, life: self.life, entry };
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        let slots = std::mem::replace(&mut self.slots, larger);
        for slot in slots.into_iter().filter(|slot| slot.life == self.life) {
            let place = self.place(slot.key);
            self.slots[place] = slot;
        }
    }
}

/// The transposition table: the half being filled, and the one filled before it.
pub struct Table<M> {
    young: Half<M>,
    old: Half<M>,
}

#[inline(always)]
fn words(key: u128) -> [u64; 2] {
    [key as u64, (key >> 64) as u64]
}

impl<M: Move> Default for Table<M> {
    fn default() -> Table<M> {
        Table { young: Half::new(), old: Half::new() }
    }
}

impl<M: Move> Table<M> {
    /// Forget everything.
    pub fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    /// Look up a position.
    #[inline(always)]
    pub fn get(&self, key: u128) -> Option<Entry<M>> {
        let key = words(key);
        self.young.get(key).or_else(|| self.old.get(key)).copied()
    }

    /// Store an entry; a half holds up to `limit` entries.
    pub fn keep(&mut self, key: u128, entry: Entry<M>, limit: usize) {
        let key = words(key);
        if self.young.len >= limit {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
        }
        let mut entry = entry;
        if let Some(known) = self.young.get(key)
            && known.depth == entry.depth
            && known.low <= entry.high
            && entry.low <= known.high
        {
            entry.low = entry.low.max(known.low);
            entry.high = entry.high.min(known.high);
        }
        self.young.put(key, entry);
    }
}

/// Evaluation cache, direct-mapped: a new evaluation replaces the one in its slot.
pub struct EvalCache {
    slots: Vec<(u64, Score)>,
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache { slots: vec![(0, 0); EvalCache::SIZE] }
    }
}

impl EvalCache {
    const SIZE: usize = 1 << 14;

    /// Forget everything.
    pub fn clear(&mut self) {
        self.slots.fill((0, 0));
    }

    /// The evaluation for a key, computed if it is not cached.
    #[inline(always)]
    pub fn get(&mut self, key: u128, evaluate: impl FnOnce() -> Score) -> Score {
        let [low, high] = words(key);
        let key = low ^ high;
        let slot = &mut self.slots[(high >> 20) as usize & (EvalCache::SIZE - 1)];
        if slot.0 != key {
            *slot = (key, evaluate());
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic;

    fn entry(depth: i32, low: Score, high: Score) -> Entry<classic::Move> {
        Entry { depth, low, high, best: classic::Move::default() }
    }

    #[test]
    fn a_full_half_makes_room_and_the_one_before_is_forgotten() {
        let mut table = Table::default();
        let remembered = |table: &Table<_>| table.young.len + table.old.len;
        (0..5000).for_each(|key| table.keep(key, entry(1, key as Score, 9999), 2000));
        assert_eq!(remembered(&table), 3000);
        assert!(table.get(1999).is_none());
        assert!((2000..5000).all(|key| table.get(key).unwrap().low == key as Score));
        table.clear();
        assert_eq!(remembered(&table), 0);
        assert!(table.get(4999).is_none());
    }

    #[test]
    fn bounds_of_the_same_depth_narrow_each_other_unless_they_cross() {
        let mut table = Table::default();
        let mut kept = |entry| {
            table.keep(7, entry, 10);
            let kept = table.get(7).unwrap();
            (kept.low, kept.high)
        };
        assert_eq!(kept(entry(3, 10, 50)), (10, 50));
        assert_eq!(kept(entry(3, 0, 40)), (10, 40));
        assert_eq!(kept(entry(3, 60, 90)), (60, 90));
        assert_eq!(kept(entry(4, 0, 99)), (0, 99));
    }
}
