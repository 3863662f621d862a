//! Weights of an evaluation by name, so that they can be read and set from outside.

use crate::game::Score;

/// A weight, or several of a kind.
pub trait Numbers {
    fn numbers(&self) -> &[Score];
    fn numbers_mut(&mut self) -> &mut [Score];
}

impl Numbers for Score {
    fn numbers(&self) -> &[Score] {
        std::slice::from_ref(self)
    }
    fn numbers_mut(&mut self) -> &mut [Score] {
        std::slice::from_mut(self)
    }
}

impl<const N: usize> Numbers for [Score; N] {
    fn numbers(&self) -> &[Score] {
        self
    }
    fn numbers_mut(&mut self) -> &mut [Score] {
        self
    }
}

impl<const N: usize, const M: usize> Numbers for [[Score; N]; M] {
    fn numbers(&self) -> &[Score] {
        self.as_flattened()
    }
    fn numbers_mut(&mut self) -> &mut [Score] {
        self.as_flattened_mut()
    }
}

/// Weights as lists of numbers by name.
pub trait Named {
    /// Every weight's name and numbers.
    fn named(&self) -> Vec<(&'static str, &[Score])>;
    /// The numbers of one weight.
    fn number_mut(&mut self, name: &str) -> Option<&mut [Score]>;
}

/// Define a struct of weights, and implement `Named` for it.
macro_rules! weights {
    (
        $(#[$about:meta])*
        pub struct $name:ident { $($(#[$what:meta])* pub $field:ident: $kind:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name { $($(#[$what])* pub $field: $kind,)* }

        impl $crate::weights::Named for $name {
            fn named(&self) -> Vec<(&'static str, &[Score])> {
                vec![$((stringify!($field), $crate::weights::Numbers::numbers(&self.$field))),*]
            }

            fn number_mut(&mut self, name: &str) -> Option<&mut [Score]> {
                match name {
                    $(stringify!($field) => {
                        Some($crate::weights::Numbers::numbers_mut(&mut self.$field))
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use weights;
