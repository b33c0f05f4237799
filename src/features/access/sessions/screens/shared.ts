// What the screens of sessions lend to screens of other features; there is no other way in.
export { NewPassword } from './new-password.tsx';
export { makePasskey, passkeysWork } from './passkey.ts';
