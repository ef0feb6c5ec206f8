//! Memory that a system keeps with those who ask it.
//!
//! In and out: one thing of whatever type the system likes. Who asks again and again, with few states each time, brings it
//! along, so that no lock is needed to find it.

use std::any::Any;
use std::fmt;

/// What a system has left.
#[derive(Default)]
pub struct Memory(Option<Box<dyn Any + Send>>);

impl Memory {
    /// Takes what was left, if it is of this type.
    pub fn take<T: Send + 'static>(&mut self) -> Option<Box<T>> {
        self.0.take().and_then(|left| left.downcast().ok())
    }

    /// Leaves something for the next call.
    pub fn leave<T: Send + 'static>(&mut self, item: Box<T>) {
        self.0 = Some(item);
    }
}

/// Nothing is left with a copy.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory")
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn what_is_left_is_found_once() {
        let mut memory = Memory::default();
        assert_eq!(memory.take::<u64>(), None);
        memory.leave(Box::new(7u64));
        assert_eq!(memory.clone().take::<u64>(), None);
        assert_eq!(memory.take::<u64>(), Some(Box::new(7)));
        memory.leave(Box::new(8u64));
        assert_eq!(memory.take::<u32>(), None);
        assert_eq!(memory.take::<u64>(), None, "what another type has asked for is gone");
    }
}
