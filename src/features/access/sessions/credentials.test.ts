// Covers passwords, codes and the count of failures, without a database.
import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { atWholeCost } from '../../../../test/support/passwords.ts';
import { hashPassword, passwordFits } from './password.ts';
import { drawSecret, hasSecretShape, hashOfSecret } from './secret.ts';
import { waitUntil, WINDOW_MS } from './throttle.ts';
import { drawTotpSecret, totpStep, totpUri } from './totp.ts';

const HERE = { whose: 'here', known: false };

test('a password fits its own hash alone, and two hashes of one password differ', async () => {
  const [one, two] = await atWholeCost(() =>
    Promise.all([hashPassword('correct horse battery', HERE), hashPassword('correct horse battery', HERE)]),
  );
  expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwordFits('correct horse battery', one, HERE)).toBe(true);
  expect(await passwordFits('correct horse batterz', one, HERE)).toBe(false);
});

test('a letter may be composed or not', async () => {
  expect(
    await passwordFits('gr\u00fcn und blau!', await hashPassword('gru\u0308n und blau!', HERE), HERE),
  ).toBe(true);
});

test('no one’s password fits, and asking costs as much', () => atWholeCost(costsAsMuch));

async function costsAsMuch(): Promise<void> {
  const stored = await hashPassword('correct horse battery', HERE);
  const best = async (against: string | null): Promise<number> => {
    const took: number[] = [];
    for (let i = 0; i < 2; i++) {
      const from = performance.now();
      expect(await passwordFits('wrong horse battery', against, HERE)).toBe(false);
      took.push(performance.now() - from);
    }
    return Math.min(...took);
  };
  expect(await best(null)).toBeGreaterThan((await best(stored)) / 5);
}

const NOW = new Date('2026-03-02T10:00:15Z');
const at = (s: number) => new Date(NOW.getTime() + s * 1000);

test('a code is accepted one step early or late, and no further', () => {
  const secret = drawTotpSecret();
  const code = generateSync({ secret, epoch: NOW.getTime() / 1000 });
  expect(totpStep(secret, code, NOW, 0)).not.toBeNull();
  expect(totpStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, at(30), 0)).not.toBeNull();
  expect(totpStep(secret, code, at(-30), 0)).not.toBeNull();
  expect(totpStep(secret, code, at(61), 0)).toBeNull();
});

test('a code is worth nothing the second time, and neither is an older one', () => {
  const secret = drawTotpSecret();
  const code = generateSync({ secret, epoch: NOW.getTime() / 1000 });
  const step = totpStep(secret, code, NOW, 0);
  expect(totpStep(secret, code, NOW, step ?? 0)).toBeNull();
  const older = generateSync({ secret, epoch: at(-30).getTime() / 1000 });
  expect(totpStep(secret, older, NOW, step ?? 0)).toBeNull();
});

test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '12345a'])(
  'the code %j is refused without an error',
  (code) => {
    expect(totpStep(drawTotpSecret(), code, NOW, 0)).toBeNull();
  },
);

test('the link for an authenticator names the instance and the person', () => {
  expect(totpUri('main', 'ada@example.com', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toMatch(
    /^otpauth:\/\/totp\/Dunnock%20main:ada%40example\.com\?secret=JBSW/,
  );
});

test('a wait lasts until one more try is free again', () => {
  const failures = [0, 60, 120].map(at);
  expect(waitUntil(failures, 4)).toBeNull();
  expect(waitUntil(failures, 3)?.getTime()).toBe(NOW.getTime() + WINDOW_MS);
  expect(waitUntil(failures, 2)?.getTime()).toBe(at(60).getTime() + WINDOW_MS);
});

test('a browser’s secret has 256 bits and only its hash is told apart from nonsense', () => {
  expect(hasSecretShape(drawSecret())).toBe(true);
  expect(drawSecret()).not.toBe(drawSecret());
  for (const wrong of ['', 'x', `${drawSecret()}x`, `${drawSecret().slice(1)} `])
    expect(hasSecretShape(wrong)).toBe(false);
  expect(hashOfSecret('x')).toHaveLength(32);
});
