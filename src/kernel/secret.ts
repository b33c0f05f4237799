// A secret in memory. It can be compared, used to sign and revealed on purpose, but not printed, logged or serialized by
// accident.

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. Whoever calls this has a reason to show it, or to sign with it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[a secret]';
  }

  toJSON(): never {
    throw new Error('a secret was about to be turned into JSON');
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[a secret]';
  }
}
