// What the screens of sessions share with screens of other features; nothing else is imported from there.
export { NewPassword } from './new-password.tsx';
export { makePasskey, passkeysWork } from './passkey.ts';
