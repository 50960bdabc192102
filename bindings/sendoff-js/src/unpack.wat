;; Makes a module of its text (packed.mjs, streams.mjs). The text is at 768 and ends at `end`, where the module begins. Returns the
;; end of the module.
;;
;;      0  the bytes of the first alphabet: that of a character is at its code, those of pairs are at 128 and higher
;;    384  the same for the second alphabet
;;    768  the alphabets as text
;;   1280  the places of the fifteen streams: 1284 symbols, 1288 the stream behind them, 1332 `before`, 1336 `after`
;;   1340  the first stream, which is the table
;;
;; An engine compiles this at once. The same loops in JavaScript are interpreted at first, and take milliseconds longer. The two
;; loops that run long are small functions, because V8 compiles such a function once more, on a thread that may not have a processor
;; of its own.
(module
  (memory (export "memory") 1)
  (global $at (mut i32) (i32.const 768))
  (global $symbol (mut i32) (i32.const 0))

  (func (export "unpack") (param $end i32) (result i32)
    (local $at i32)
    (local $stream i32)
    (local $length i32)
    (local $size i32)
    (local $then i32)
    (local $last i32)

    (call $alphabet (i32.const 0))
    (call $alphabet (i32.const 384))
    ;; In place: there are no more bytes than characters.
    (drop (call $bytes (call $bytes (i32.const 1280) (i32.const 0)) (i32.const 384)))

    ;; The lengths of the streams become their places.
    (local.set $at (i32.const 1340))
    (loop $next
      (local.set $length (i32.load offset=1280 (local.get $stream)))
      (i32.store offset=1280 (local.get $stream) (local.get $at))
      (local.set $at (i32.add (local.get $at) (local.get $length)))
      (br_if $next (i32.lt_u (local.tee $stream (i32.add (local.get $stream) (i32.const 4))) (i32.const 60))))

    (global.set $symbol (i32.load (i32.const 1284)))
    (local.set $last (i32.load (i32.const 1288)))

    ;; `before`, the functions, `after`.
    (local.set $end (call $copied (local.get $end) (i32.load (i32.const 1332)) (i32.load (i32.const 1336))))
    (loop $next
      ;; The size of a function is in front of it: a number of one byte for seven bits.
      (local.set $size (i32.sub (call $function (local.get $end)) (local.get $end)))
      (local.set $length (i32.div_u (i32.sub (i32.const 38) (i32.clz (local.get $size))) (i32.const 7)))
      (memory.copy (i32.add (local.get $end) (local.get $length)) (local.get $end) (local.get $size))
      (local.set $then (i32.add (local.get $size) (i32.add (local.get $end) (local.get $length))))
      (loop $byte
        (i32.store8 (local.get $end)
          (i32.or
            (i32.and (local.get $size) (i32.const 127))
            (i32.shl (i32.gt_u (local.get $size) (i32.const 127)) (i32.const 7))))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (br_if $byte (local.tee $size (i32.shr_u (local.get $size) (i32.const 7)))))
      (local.set $end (local.get $then))
      (br_if $next (i32.lt_u (global.get $symbol) (local.get $last))))
    (call $copied (local.get $end) (i32.load (i32.const 1336)) (local.get $at)))

  ;; Reads an alphabet: the characters of all bytes, in order. A character above `z` is the next pair.
  (func $alphabet (param $alphabet i32)
    (local $byte i32)
    (local $char i32)
    (local $pair i32)
    (local.set $pair (i32.const 128))
    (loop $next
      (local.set $char (i32.load8_u (global.get $at)))
      (global.set $at (i32.add (global.get $at) (i32.const 1)))
      (if (i32.gt_u (local.get $char) (i32.const 122))
        (then
          (local.set $char (local.get $pair))
          (local.set $pair (i32.add (local.get $pair) (i32.const 1)))))
      (i32.store8 (i32.add (local.get $alphabet) (local.get $char)) (local.get $byte))
      (br_if $next (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 1))) (i32.const 256)))))

  ;; Makes bytes of characters, until the pair that is the last of all. Returns the end of the bytes.
  (func $bytes (param $to i32) (param $alphabet i32) (result i32)
    (local $at i32)
    (local $char i32)
    (local.set $at (global.get $at))
    (loop $next
      ;; Four characters at once if none of them is above `z`: one by one takes twice as long.
      (if (i32.eqz (i32.and
            (i32.add (local.tee $char (i32.load (local.get $at))) (i32.const 0x05050505))
            (i32.const 0x80808080)))
        (then
          (i32.store8 (local.get $to)
            (i32.load8_u (i32.add (local.get $alphabet) (i32.and (local.get $char) (i32.const 127)))))
          (i32.store8 offset=1 (local.get $to)
            (i32.load8_u (i32.add (local.get $alphabet) (i32.and (i32.shr_u (local.get $char) (i32.const 8)) (i32.const 127)))))
          (i32.store8 offset=2 (local.get $to)
            (i32.load8_u (i32.add (local.get $alphabet) (i32.and (i32.shr_u (local.get $char) (i32.const 16)) (i32.const 127)))))
          (i32.store8 offset=3 (local.get $to)
            (i32.load8_u (i32.add (local.get $alphabet) (i32.shr_u (local.get $char) (i32.const 24)))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (br $next)))
      (local.set $char (i32.and (local.get $char) (i32.const 127)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.gt_u (local.get $char) (i32.const 122))
        (then
          ;; A pair is a character above `z` and one of the 52 from `(` to `[`: 128 + 52 (a - 123) + (b - 40).
          (local.set $char
            (i32.sub (i32.add (i32.mul (local.get $char) (i32.const 52)) (i32.load8_u (local.get $at))) (i32.const 6308)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (i32.store8 (local.get $to) (i32.load8_u (i32.add (local.get $alphabet) (local.get $char))))
      (local.set $to (i32.add (local.get $to) (i32.const 1)))
      (br_if $next (i32.ne (local.get $char) (i32.const 335))))
    (global.set $at (local.get $at))
    (i32.sub (local.get $to) (i32.const 1)))

  ;; Writes the next function: the bytes of each symbol's row, and its numbers. The symbol 0 is the last. Returns its end.
  (func $function (param $to i32) (result i32)
    (local $at i32)
    (local $symbol i32)
    (local $row i32)
    (local $count i32)
    (local $from i32)
    (local $byte i32)
    (local.set $at (global.get $symbol))
    (loop $next
      (i32.store16 (local.get $to)
        (local.tee $row
          (i32.load offset=1340 (i32.shl (local.tee $symbol (i32.load8_u (local.get $at))) (i32.const 2)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $count (i32.and (i32.shr_u (local.get $row) (i32.const 16)) (i32.const 255)))
      (local.set $row (i32.shr_u (local.get $row) (i32.const 24)))
      (local.set $to (i32.add (local.get $to) (i32.and (local.get $row) (i32.const 3))))
      (if (local.get $count)
        (then
          (local.set $from (i32.load offset=1280 (local.tee $row (i32.and (local.get $row) (i32.const 60)))))
          (loop $more
            (i32.store8 (local.get $to) (local.tee $byte (i32.load8_u (local.get $from))))
            (local.set $from (i32.add (local.get $from) (i32.const 1)))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            ;; The last byte of a number is below 128.
            (br_if $more (local.tee $count (i32.sub (local.get $count) (i32.lt_u (local.get $byte) (i32.const 128))))))
          (i32.store offset=1280 (local.get $row) (local.get $from))))
      (br_if $next (local.get $symbol)))
    (global.set $symbol (local.get $at))
    (local.get $to))

  ;; Copies the bytes from one place to another. Returns the end of the copy.
  (func $copied (param $to i32) (param $from i32) (param $end i32) (result i32)
    (memory.copy (local.get $to) (local.get $from) (i32.sub (local.get $end) (local.get $from)))
    (i32.add (local.get $to) (i32.sub (local.get $end) (local.get $from)))))
