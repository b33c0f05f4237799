// The second factor: time-based codes (RFC 6238), six digits, thirty seconds, one step of tolerance to either side. A code
// is accepted once: whoever looks over a shoulder is too late.
import { generateSecret, generateURI, verifySync } from 'otplib';

const STEP_S = 30;

export const drawTotpSecret = (): string => generateSecret();

export const totpUri = (instance: string, email: string, secret: string): string =>
  generateURI({ issuer: `Dunnock ${instance}`, label: email, secret });

/** The time step of a code that is right and newer than `lastStep`, or null. */
export function totpStep(secret: string, code: string, now: Date, lastStep: number): number | null {
  const token = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ secret, token, epoch, epochTolerance: STEP_S });
  return found.valid && 'timeStep' in found && found.timeStep > lastStep ? found.timeStep : null;
}
