// An identity’s trouble: why it can’t send, what that means and how to fix it. A server’s words are data, never part of a
// sentence.
import type { ShownTrouble } from '../trouble.contract.ts';

type Text = { says: string; fix: string };

export const TROUBLES = {
  credentials: {
    says: 'The mail server rejects the user name or password.',
    fix: 'Save working credentials, test the identity, then activate it again.',
  },
  sender_refused: {
    says: 'The mail server rejects the envelope sender.',
    fix: 'On the mail server, allow this login to send from the bounce address, or use the identity’s own address as envelope sender. Then test the identity.',
  },
  relay_refused: {
    says: 'The mail server doesn’t let this identity send to other domains.',
    fix: 'Allow this login to send to other domains, or use your provider’s server for outgoing mail. Then test the identity.',
  },
  quota: {
    says: 'This identity reached the mail server’s sending limit.',
    fix: 'Wait for the limit to reset, or raise it. Keep the identity’s caps below the limit. Then test the identity.',
  },
  refused: {
    says: 'The mail server rejects mail from this identity.',
    fix: 'Read the server’s response, and ask your mail provider for help. Then test the identity.',
  },
  certificate_expired: {
    says: 'The mail server’s certificate has expired.',
    fix: 'Ask your mail provider to renew the certificate. Then test the identity.',
  },
  certificate_name: {
    says: 'The mail server’s certificate is for another host name.',
    fix: 'Use the host name in the certificate. Then test the identity.',
  },
  certificate_untrusted: {
    says: 'The mail server’s certificate is from an authority that isn’t trusted.',
    fix: 'Ask your mail provider for a certificate from a public authority, or ask the operator to add your own authority with SERVICE_MAIL_CA_FILE. Then test the identity.',
  },
  tls_missing: {
    says: 'The mail server offers no supported encryption.',
    fix: 'Check the port (465 for TLS, 587 for STARTTLS), or ask your mail provider. Then test the identity.',
  },
} as const satisfies Record<string, Text>;

export type TroubleKind = keyof typeof TROUBLES;
export const TROUBLE_KINDS = Object.keys(TROUBLES) as [TroubleKind, ...TroubleKind[]];

/** What the mail server said or showed. `words` are its own, as data. */
export type IdentityTrouble = {
  kind: TroubleKind;
  code: number | null;
  enhanced: string | null;
  words: string | null;
  /** Of a certificate that expired. */
  expired_at: Date | null;
};

/** The columns of the trouble; `null` for all of them where there is none. */
export type TroubleColumns = {
  trouble: TroubleKind | null;
  trouble_since: Date | null;
  trouble_code: number | null;
  trouble_enhanced: string | null;
  trouble_words: string | null;
  trouble_expired_at: Date | null;
};

export const NO_TROUBLE: TroubleColumns = {
  trouble: null,
  trouble_since: null,
  trouble_code: null,
  trouble_enhanced: null,
  trouble_words: null,
  trouble_expired_at: null,
};

export function troubleShown(row: TroubleColumns): ShownTrouble | null {
  const { trouble: kind, trouble_since: since } = row;
  if (kind === null || since === null) return null;
  return {
    kind,
    ...TROUBLES[kind],
    since: since.toISOString(),
    code: row.trouble_code,
    enhanced: row.trouble_enhanced,
    words: row.trouble_words,
    expired_at: row.trouble_expired_at?.toISOString() ?? null,
  };
}

/** What a held letter carries as evidence. */
export type TroubleEvidence = {
  trouble: TroubleKind;
  since: string;
  code: number | null;
  enhanced: string | null;
  /** The mail server's own words: someone else's text. */
  server_said: string | null;
  expired_at: string | null;
};

export const evidenceOf = (
  { kind, code, enhanced, words, expired_at }: IdentityTrouble,
  since: Date,
): TroubleEvidence => ({
  trouble: kind,
  since: since.toISOString(),
  code,
  enhanced,
  server_said: words,
  expired_at: expired_at?.toISOString() ?? null,
});

/** The reason that letters of an identity in trouble are held for. */
export const holdFor = (kind: TroubleKind): 'identity_credentials' | 'transport_refused' =>
  kind === 'credentials' ? 'identity_credentials' : 'transport_refused';

/** Of the evidence of a held letter: what is wrong and what fixes it. */
export function troubleIn(evidence: Record<string, unknown>): Text | null {
  const kind = TROUBLE_KINDS.find((each) => each === evidence['trouble']);
  return kind ? TROUBLES[kind] : null;
}
