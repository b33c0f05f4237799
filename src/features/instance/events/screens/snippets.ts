// Code that verifies a delivery, in four languages. Shown on the screen and in the guide; a test runs it against a real
// delivery.

export type Snippet = { title: string; file: string; code: string };

const TYPESCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the exact bytes of the request, before anything parses them.
export function verify(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = \`sha256=\${createHmac('sha256', secret).update(body).digest('hex')}\`;
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
`;

const PYTHON = `import hashlib
import hmac


# body: the exact bytes of the request, before anything parses them.
def verify(body: bytes, signature: str, secret: str) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())
`;

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// body: the exact bytes of the request, before anything parses them.
func verify(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
`;

const SHELL = `# verify FILE SIGNATURE: FILE holds the exact bytes of the request; EVENTS_SECRET is in the environment.
# For manual checks only: other users of the machine can see the secret while openssl runs.
verify() {
  expected="sha256=$(openssl dgst -sha256 -hmac "$EVENTS_SECRET" -r < "$1" | cut -d ' ' -f 1)"
  [ "$expected" = "$2" ]
}
`;

export const SNIPPETS: readonly Snippet[] = [
  { title: 'TypeScript', file: 'verify.ts', code: TYPESCRIPT },
  { title: 'Python', file: 'verify.py', code: PYTHON },
  { title: 'Go', file: 'verify.go', code: GO },
  { title: 'Shell', file: 'verify.sh', code: SHELL },
];
