// Why something failed with another party’s tool server, as a closed list: none of its own words appear in a
// sentence.

export type Challenge = {
  /** Where the server says who protects it. */
  resource_metadata: string | null;
  /** What it wants to be allowed. */
  scope: string | null;
};

export type TroubleWhy =
  /** No one is signed in there for this person, or no longer. */
  | 'sign_in'
  /** Whoever gave this sign-in says that it is over. */
  | 'ended'
  /** It could not be renewed now, and may be later. */
  | 'renewal'
  /** What was allowed there is too little for this. */
  | 'scope'
  /** It asks for no sign-in. */
  | 'open'
  /** Its sign-in does not hold what the protocol asks of it: a foreign issuer, another resource, no PKCE. */
  | 'untrusted'
  | 'denied'
  /** It registers no client, and none was registered there by hand. */
  | 'unregistered'
  /** Its sign-in answers with what no client can read. */
  | 'garbled'
  | 'unreachable'
  | 'redirect'
  | 'own_address'
  | 'address'
  | 'slow'
  | 'too_long'
  | 'no_tool'
  | 'broken';

/** What is wrong with the server or its address, whoever asks; what is wrong with one person's sign-in is with that. */
export const LASTING = ['unreachable', 'slow', 'address', 'own_address', 'redirect', 'broken'] as const;
export type Lasting = (typeof LASTING)[number];

export const isLasting = (why: TroubleWhy): why is Lasting => LASTING.some((each) => each === why);

type Told = { challenge?: Challenge | null; wait_s?: number | null };

export class CapabilityTrouble extends Error {
  readonly why: TroubleWhy;
  readonly challenge: Challenge | null;
  /** How long to wait, in seconds, where that is known. */
  readonly wait_s: number | null;
  constructor(why: TroubleWhy, { challenge = null, wait_s = null }: Told = {}) {
    super(why);
    this.name = 'CapabilityTrouble';
    this.why = why;
    this.challenge = challenge;
    this.wait_s = wait_s;
  }
}
