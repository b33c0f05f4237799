// A file that came with a call. Its bytes are never walked, compared or logged: code that looks at the arguments sees its name,
// size and hash.
import { z } from 'zod';

export class Upload {
  readonly filename: string | null;
  readonly size: number;
  /** Of the exact bytes, in hexadecimal digits. */
  readonly sha256: string;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, facts: { filename: string | null; sha256: string }) {
    this.filename = facts.filename;
    this.sha256 = facts.sha256;
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** An argument that only an entry point can make: no JSON is one. */
export const upload = z.instanceof(Upload);
