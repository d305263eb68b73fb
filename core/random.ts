import { SeedSequence } from './seed-sequence';
import { utf8Bytes } from './utf8';

/**
 * Taken once: where code runs in a context of its own (tests, the workflows' sandbox), each look at a global costs as
 * much as a draw.
 */
const { clz32, imul, round } = Math;
const { isSafeInteger } = Number;

/** A non-negative integer of any size, or a list of them, as numpy's `default_rng` takes it. */
export type Entropy = number | bigint | readonly (number | bigint)[];

/**
 * A stream of its own for each list of names: `randomFrom(seed, 'schedule', pair)`. Names enter as further
 * entropy words (how many, then each one's length in bytes and its UTF-8 bytes, four a word), so ('ab', 'c')
 * and ('a', 'bc') differ. Without names it is numpy's `default_rng(seed)`.
 *
 * @param seed integer from 0 to 2^53 − 1
 * @throws RangeError for any other seed
 */
export function randomFrom(seed: number, ...names: string[]): Random {
  if (!isSafeInteger(seed) || seed < 0) throw new RangeError(`seed: not an integer from 0: ${seed}`);
  const words = [seed >>> 0, Math.floor(seed / 2 ** 32), names.length];
  for (const name of names) {
    const bytes = utf8Bytes(name);
    words.push(bytes.length);
    for (let i = 0; i < bytes.length; i += 4) {
      const word = bytes[i]! | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16);
      words.push((word | ((bytes[i + 3] ?? 0) << 24)) >>> 0);
    }
  }
  return new Random(words);
}

/**
 * numpy's `default_rng(entropy)`, bit for bit: SeedSequence and PCG64 (XSL-RR 128/64; M. O'Neill, "PCG",
 * 2014, and numpy/random/src/pcg64). One instance is one stream; every draw moves it on.
 */
export class Random {
  /** The state in limbs of 24 bits, least significant first; the sixth holds the top 8 bits. */
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private s4 = 0;
  private s5 = 0;
  private readonly increment: Limbs;
  /** The last 64 bits drawn, in signed halves. */
  private high = 0;
  private low = 0;
  /** The upper half of a draw whose lower half alone has been given out. */
  private heldHalf = 0;
  private isHalfHeld = false;

  /** @throws RangeError when the entropy is not made of non-negative integers, or is an empty list */
  constructor(entropy: Entropy) {
    const [stateHigh, stateLow, incrementHigh, incrementLow] = new SeedSequence(entropy).fourWords64();
    const increment = (((incrementHigh << 64n) | incrementLow) << 1n) | 1n;
    this.increment = limbs(increment);
    [this.s0, this.s1, this.s2, this.s3, this.s4, this.s5] = limbs(
      ((stateHigh << 64n) | stateLow) + increment,
    );
    this.draw();
  }

  /** Uniform on [0, 1), a multiple of 2^-53: numpy's `random()`. */
  uniform(): number {
    this.draw();
    return ((this.high >>> 0) * 2 ** 21 + (this.low >>> 11)) * 2 ** -53;
  }

  /**
   * Uniform integer from `low` up to but not including `high`: numpy's `integers`, by Lemire's method on
   * 32-bit halves. A range of one draws nothing.
   * @throws RangeError unless both are safe integers and the range holds 1 to 2^32 of them
   */
  integers(low: number, high: number): number {
    const range = high - low;
    if (!(range >= 1 && range <= 2 ** 32 && isSafeInteger(low) && isSafeInteger(high))) {
      throw new RangeError(`integers: no range of 1 to 2^32 integers: from ${low} up to ${high}`);
    }
    if (range === 1) return low;
    let half = this.nextHalf() >>> 0;
    if (range === 2 ** 32) return low + half;
    let leftover = imul(half, range) >>> 0;
    if (leftover < range) {
      const threshold = (2 ** 32 - range) % range;
      while (leftover < threshold) {
        half = this.nextHalf() >>> 0;
        leftover = imul(half, range) >>> 0;
      }
    }
    // The product's upper half: off by 2^-21 at most before it is rounded.
    return low + round((half * range - leftover) / 2 ** 32);
  }

  /** A shuffled copy, in the order numpy's `shuffle` leaves an array of the same length (below 2^31). */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.upTo(i);
      const held = shuffled[i]!;
      shuffled[i] = shuffled[j]!;
      shuffled[j] = held;
    }
    return shuffled;
  }

  /**
   * Standard normal, by Box and Muller (1958): two uniforms a draw, the sine half is not kept. Not numpy's
   * `standard_normal`, which is a ziggurat.
   */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** The next 64 bits as they come: numpy's `bit_generator.random_raw()`. Slow; meant for checks. */
  raw(): bigint {
    this.draw();
    return (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0);
  }

  /** Uniform integer from 0 to `max`, by masks and rejection: numpy's `random_interval`, for its shuffle. */
  private upTo(max: number): number {
    const mask = 0xffffffff >>> clz32(max);
    let value = this.nextHalf() & mask;
    while (value > max) value = this.nextHalf() & mask;
    return value;
  }

  /** The next 32 bits, signed: a draw's lower half, then its upper. `uniform` leaves a held half alone. */
  private nextHalf(): number {
    if (this.isHalfHeld) {
      this.isHalfHeld = false;
      return this.heldHalf;
    }
    this.draw();
    this.heldHalf = this.high;
    this.isHalfHeld = true;
    return this.low;
  }

  /** Moves on one step and folds the state: its halves xored, then rotated right by its top six bits. */
  private draw(): void {
    this.step();
    const { s0, s1, s2, s3, s4, s5 } = this;
    const high = (s4 | (s5 << 24)) ^ ((s1 >>> 8) | (s2 << 16));
    const low = ((s2 >>> 16) | (s3 << 8)) ^ (s0 | (s1 << 24));
    const rotation = s5 >>> 2;
    const isSwapped = rotation >= 32;
    const a = isSwapped ? low : high;
    const b = isSwapped ? high : low;
    const shift = rotation & 31;
    // Shifting by 32 would be no shift at all, hence in two steps.
    this.high = (a >>> shift) | ((b << 1) << (31 - shift));
    this.low = (b >>> shift) | ((a << 1) << (31 - shift));
  }

  /**
   * state = state × multiplier + increment, mod 2^128. A product of limbs has 48 bits, so each column's sum
   * is exact in a double; of the top column only the last 8 bits count, which `imul` keeps.
   */
  private step(): void {
    const { s0, s1, s2, s3, s4, s5 } = this;
    const add = this.increment;
    const c0 = s0 * M0 + add[0];
    this.s0 = c0 & 0xffffff;
    const c1 = s0 * M1 + s1 * M0 + add[1] + (c0 - this.s0) * 2 ** -24;
    this.s1 = c1 & 0xffffff;
    const c2 = s0 * M2 + s1 * M1 + s2 * M0 + add[2] + (c1 - this.s1) * 2 ** -24;
    this.s2 = c2 & 0xffffff;
    const c3 = s0 * M3 + s1 * M2 + s2 * M1 + s3 * M0 + add[3] + (c2 - this.s2) * 2 ** -24;
    this.s3 = c3 & 0xffffff;
    const c4 = s0 * M4 + s1 * M3 + s2 * M2 + s3 * M1 + s4 * M0 + add[4] + (c3 - this.s3) * 2 ** -24;
    this.s4 = c4 & 0xffffff;
    const low = imul(s0, M5) + imul(s1, M4) + imul(s2, M3) + imul(s3, M2);
    const top = low + imul(s4, M1) + imul(s5, M0);
    this.s5 = (top + add[5] + (c4 - this.s4) * 2 ** -24) & 0xff;
  }
}

type Limbs = [number, number, number, number, number, number];

/** numpy's multiplier of PCG64, 0x2360ed051fc65da44385df649fccf645, in limbs of 24 bits. */
const [M0, M1, M2, M3, M4, M5] = [0xccf645, 0xdf649f, 0xa44385, 0x1fc65d, 0x60ed05, 0x23] as const;

/** The lowest 128 bits of a number. */
function limbs(number: bigint): Limbs {
  const limb = (i: bigint) => Number((number >> (24n * i)) & 0xffffffn);
  return [limb(0n), limb(1n), limb(2n), limb(3n), limb(4n), limb(5n) & 0xff];
}
