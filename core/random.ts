import { SeedSequence } from './seed-sequence';
import { utf8Bytes } from './utf8';

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
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`seed: not an integer from 0: ${seed}`);
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
  /** The state and the increment, four 32-bit limbs each, least significant first. */
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private readonly i0: number;
  private readonly i1: number;
  private readonly i2: number;
  private readonly i3: number;
  /** The last 64 bits drawn. */
  private high = 0;
  private low = 0;
  /** The upper half of a draw whose lower half has been given out. */
  private heldHalf: number | null = null;

  /** @throws RangeError when the entropy is not made of non-negative integers, or is an empty list */
  constructor(entropy: Entropy) {
    // Four 64-bit words, each as its low and its high half: state high, state low, increment high, low.
    const seed = new SeedSequence(entropy).generateState(8) as EightWords;
    this.i0 = ((seed[6] << 1) | 1) >>> 0;
    this.i1 = ((seed[7] << 1) | (seed[6] >>> 31)) >>> 0;
    this.i2 = ((seed[4] << 1) | (seed[7] >>> 31)) >>> 0;
    this.i3 = ((seed[5] << 1) | (seed[4] >>> 31)) >>> 0;
    this.step();
    this.addToState(seed[2], seed[3], seed[0], seed[1]);
    this.step();
  }

  /** Uniform on [0, 1), a multiple of 2^-53: numpy's `random()`. */
  uniform(): number {
    this.draw();
    return (this.high * 2 ** 21 + (this.low >>> 11)) * 2 ** -53;
  }

  /**
   * Uniform integer from `low` up to but not including `high`: numpy's `integers`, by Lemire's method on
   * 32-bit halves. A range of one draws nothing.
   * @throws RangeError unless both are safe integers and the range holds 1 to 2^32 of them
   */
  integers(low: number, high: number): number {
    const range = high - low;
    if (!(range >= 1 && range <= 2 ** 32 && Number.isSafeInteger(low) && Number.isSafeInteger(high))) {
      throw new RangeError(`integers: no range of 1 to 2^32 integers: from ${low} up to ${high}`);
    }
    if (range === 1) return low;
    let half = this.nextHalf();
    if (range === 2 ** 32) return low + half;
    let leftover = Math.imul(half, range) >>> 0;
    if (leftover < range) {
      const threshold = (2 ** 32 - range) % range;
      while (leftover < threshold) {
        half = this.nextHalf();
        leftover = Math.imul(half, range) >>> 0;
      }
    }
    return low + upperHalfOfProduct(half, range);
  }

  /** A shuffled copy, in the order numpy's `shuffle` leaves an array of the same length. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.integers(0, i + 1);
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
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** The next 32 bits: the lower half of a draw, then its upper half. `uniform` leaves a held half alone. */
  private nextHalf(): number {
    if (this.heldHalf !== null) {
      const half = this.heldHalf;
      this.heldHalf = null;
      return half;
    }
    this.draw();
    this.heldHalf = this.high;
    return this.low;
  }

  /** Moves on one step and folds the state: the halves xored, rotated right by the top six bits. */
  private draw(): void {
    this.step();
    const high = this.s3 ^ this.s1;
    const low = this.s2 ^ this.s0;
    const rotation = this.s3 >>> 26;
    const [a, b] = rotation & 32 ? [low, high] : [high, low];
    const shift = rotation & 31;
    if (shift === 0) {
      this.high = a >>> 0;
      this.low = b >>> 0;
    } else {
      this.high = ((a >>> shift) | (b << (32 - shift))) >>> 0;
      this.low = ((b >>> shift) | (a << (32 - shift))) >>> 0;
    }
  }

  /**
   * state = state × multiplier + increment, mod 2^128. The multiplier is 0x2360ed051fc65da44385df649fccf645,
   * taken in 16-bit pieces: a limb times a piece has 48 bits, so each column's sum is exact in a double.
   */
  private step(): void {
    const { s0, s1, s2, s3 } = this;
    const c0 = s0 * 0xf645 + this.i0;
    const c1 = s0 * 0x9fcc + Math.floor(c0 / 0x10000);
    this.s0 = ((c0 & 0xffff) | (c1 << 16)) >>> 0;
    const c2 = s0 * 0xdf64 + s1 * 0xf645 + this.i1 + Math.floor(c1 / 0x10000);
    const c3 = s0 * 0x4385 + s1 * 0x9fcc + Math.floor(c2 / 0x10000);
    this.s1 = ((c2 & 0xffff) | (c3 << 16)) >>> 0;
    const c4 = s0 * 0x5da4 + s1 * 0xdf64 + s2 * 0xf645 + this.i2 + Math.floor(c3 / 0x10000);
    const c5 = s0 * 0x1fc6 + s1 * 0x4385 + s2 * 0x9fcc + Math.floor(c4 / 0x10000);
    this.s2 = ((c4 & 0xffff) | (c5 << 16)) >>> 0;
    const c6 = s0 * 0xed05 + s1 * 0x5da4 + s2 * 0xdf64 + s3 * 0xf645 + this.i3 + Math.floor(c5 / 0x10000);
    const c7 = s0 * 0x2360 + s1 * 0x1fc6 + s2 * 0x4385 + s3 * 0x9fcc + Math.floor(c6 / 0x10000);
    this.s3 = ((c6 & 0xffff) | (c7 << 16)) >>> 0;
  }

  private addToState(a0: number, a1: number, a2: number, a3: number): void {
    const c0 = this.s0 + a0;
    const c1 = this.s1 + a1 + Math.floor(c0 / 2 ** 32);
    const c2 = this.s2 + a2 + Math.floor(c1 / 2 ** 32);
    const c3 = this.s3 + a3 + Math.floor(c2 / 2 ** 32);
    this.s0 = c0 >>> 0;
    this.s1 = c1 >>> 0;
    this.s2 = c2 >>> 0;
    this.s3 = c3 >>> 0;
  }
}

type EightWords = [number, number, number, number, number, number, number, number];

/** The upper 32 of the 64 bits of a × b, both below 2^32. */
function upperHalfOfProduct(a: number, b: number): number {
  const lower = (a & 0xffff) * b;
  return Math.floor(((a >>> 16) * b + Math.floor(lower / 0x10000)) / 0x10000);
}
