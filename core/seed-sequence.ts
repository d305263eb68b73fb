import type { Entropy } from './random';

const POOL_WORDS = 4;

/**
 * numpy's SeedSequence without a spawn key: entropy of any length hashed into a pool of four 32-bit words,
 * and the pool into a state of any length (numpy/random/bit_generator.pyx, after M. O'Neill's seed_seq_fe).
 */
export class SeedSequence {
  private readonly pool: number[] = [];
  private hashConstant = 0x43b0d7e5;

  /** @throws RangeError when the entropy is not made of non-negative integers, or is an empty list */
  constructor(entropy: Entropy) {
    const words = entropyWords(entropy);
    for (let i = 0; i < POOL_WORDS; i++) this.pool.push(this.hash(words[i] ?? 0));
    for (let source = 0; source < POOL_WORDS; source++) {
      for (let target = 0; target < POOL_WORDS; target++) {
        if (source !== target) this.pool[target] = mix(this.pool[target]!, this.hash(this.pool[source]!));
      }
    }
    for (const word of words.slice(POOL_WORDS)) {
      for (let target = 0; target < POOL_WORDS; target++) {
        this.pool[target] = mix(this.pool[target]!, this.hash(word));
      }
    }
  }

  /** @returns that many 32-bit words; numpy's `generate_state(n)` */
  generateState(nWords: number): number[] {
    let constant = 0x8b51f9dd;
    return Array.from({ length: nWords }, (_, i) => {
      const value = this.pool[i % POOL_WORDS]! ^ constant;
      constant = Math.imul(constant, 0x58f38ded);
      return foldDown(Math.imul(value, constant));
    });
  }

  /** numpy's `generate_state(4, uint64)`. */
  fourWords64(): [bigint, bigint, bigint, bigint] {
    const halves = this.generateState(8).map(BigInt);
    const word = (i: number) => (halves[2 * i + 1]! << 32n) | halves[2 * i]!;
    return [word(0), word(1), word(2), word(3)];
  }

  private hash(word: number): number {
    const value = word ^ this.hashConstant;
    this.hashConstant = Math.imul(this.hashConstant, 0x931e8875);
    return foldDown(Math.imul(value, this.hashConstant));
  }
}

/** Every integer as its 32-bit words, least significant first; 0 is one word. */
function entropyWords(entropy: Entropy): number[] {
  const integers = typeof entropy === 'object' ? entropy : [entropy];
  if (integers.length === 0) throw new RangeError('entropy: an empty list');
  return integers.flatMap((integer) => {
    if (typeof integer === 'number' ? !Number.isSafeInteger(integer) || integer < 0 : integer < 0n) {
      throw new RangeError(`entropy: not a non-negative integer: ${integer}`);
    }
    const words = [];
    let rest = BigInt(integer);
    do {
      words.push(Number(rest & 0xffffffffn));
      rest >>= 32n;
    } while (rest > 0n);
    return words;
  });
}

function mix(x: number, y: number): number {
  return foldDown(Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y));
}

function foldDown(value: number): number {
  return (value ^ (value >>> 16)) >>> 0;
}
