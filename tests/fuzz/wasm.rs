//! The core beside its WebAssembly module on the same calls: the same answers, and no trap.

use std::{cell::RefCell, env, fs};

use laws::fuzzed::split;
use sendoff::json;
use wasmi::{Engine, Instance, Linker, Memory, Module, Store, TypedFunc};

/// The module, called as JavaScript calls it.
struct Wasm {
    store: Store<()>,
    memory: Memory,
    room: TypedFunc<u32, u32>,
    call: TypedFunc<(u32, u32, u32, u32, u32, u32), u32>,
    answer: TypedFunc<(), u32>,
}

impl Wasm {
    /// Reads the module that `SENDOFF_WASM` names.
    fn load() -> Self {
        let path = env::var("SENDOFF_WASM").expect("the path of a module in SENDOFF_WASM");
        let engine = Engine::default();
        let module = Module::new(&engine, fs::read(path).expect("a module")).expect("a module");
        let mut store = Store::new(&engine, ());
        let instance: Instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("no imports");
        Self {
            memory: instance.get_memory(&store, "memory").expect("a memory"),
            room: instance.get_typed_func(&store, "room").expect("a function"),
            call: instance.get_typed_func(&store, "call").expect("a function"),
            answer: instance.get_typed_func(&store, "answer").expect("a function"),
            store,
        }
    }

    fn call(&mut self, name: &str, arguments: &[Option<&str>]) -> String {
        let texts = [&[Some(name)], arguments].concat();
        let length = |at: usize| texts.get(at).copied().flatten().map_or(0, |text| text.len() as u32 + 1);
        let all: Vec<u8> = texts.iter().flatten().flat_map(|text| text.bytes()).collect();
        let at = self.room.call(&mut self.store, all.len() as u32).expect("no trap");
        self.memory.write(&mut self.store, at as usize, &all).expect("room");
        let lengths = (length(0), length(1), length(2), length(3), length(4), length(5));
        let length = self.call.call(&mut self.store, lengths).expect("no trap");
        let at = self.answer.call(&mut self.store, ()).expect("no trap");
        let mut answer = vec![0; length as usize];
        self.memory.read(&self.store, at as usize, &mut answer).expect("an answer in the memory");
        String::from_utf8(answer).expect("text")
    }
}

thread_local! {
    static WASM: RefCell<Wasm> = RefCell::new(Wasm::load());
}

/// The bytes are a function and its arguments ([`split`]).
pub fn check(bytes: &[u8]) {
    let Some((function, arguments)) = split(bytes) else { return };
    let (Ok(expected) | Err(expected)) = json::call(function.name, &arguments);
    let found = WASM.with_borrow_mut(|wasm| wasm.call(function.name, &arguments));
    assert_eq!(found, expected, "{}", function.name);
}
