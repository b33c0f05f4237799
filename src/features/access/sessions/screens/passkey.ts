// Passkeys on the browser's side: has an authenticator make one, or prove with one. Whoever closes the browser's own question
// gave up, which is no error.
import { call, ApiError, type Takes } from '../../../../ui/client/call.ts';

export type PasskeyProof = NonNullable<Takes<'auth_login'>['passkey']>;
export type MadePasskey = Takes<'passkey_create'>['made'];

/** Can this browser, at this address, use passkeys at all? */
export const passkeysWork = (): boolean =>
  globalThis.isSecureContext && 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(location.hostname);

const library = () => import('@simplewebauthn/browser');

/** Null where the person gave up. */
export async function proveByPasskey(purpose: 'sign_in' | 'step_up'): Promise<PasskeyProof | null> {
  const { options } = await call('auth_passkey_options', { purpose });
  const { startAuthentication } = await library();
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return asked(() => startAuthentication({ optionsJSON }));
}

/** Null where the person gave up. */
export async function makePasskey(options: unknown): Promise<MadePasskey | null> {
  const { startRegistration } = await library();
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return asked(() => startRegistration({ optionsJSON }));
}

async function asked<T>(question: () => Promise<T>): Promise<T | null> {
  try {
    return await question();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') return null;
    if (name === 'InvalidStateError')
      throw new ApiError(0, 'conflict', 'This device already has a passkey for your account.');
    throw new ApiError(0, 'unavailable', 'This browser can’t use a passkey here. Use your password.');
  }
}
