//! Memory that the page writes to and reads from.

use std::cell::RefCell;

thread_local! {
    /// Blocks that the page has and no function yet.
    static OUT: RefCell<Vec<Box<[u8]>>> = const { RefCell::new(Vec::new()) };
    /// The last result.
    static TOLD: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn hand_out(length: usize) -> *mut u8 {
    // A block without bytes has no address of its own.
    let mut block = vec![0; length.max(1)].into_boxed_slice();
    let at = block.as_mut_ptr();
    OUT.with_borrow_mut(|out| out.push(block));
    at
}

pub(crate) fn take_back(at: *const u8) -> Option<Box<[u8]>> {
    OUT.with_borrow_mut(|out| {
        let position = out.iter().position(|block| block.as_ptr() == at)?;
        Some(out.swap_remove(position))
    })
}

pub(crate) fn tell(text: String) -> *const u8 {
    TOLD.with_borrow_mut(|told| {
        *told = text;
        told.as_ptr()
    })
}

pub(crate) fn length() -> usize {
    TOLD.with_borrow(String::len)
}
