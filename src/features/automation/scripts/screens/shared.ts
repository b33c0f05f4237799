// What the screens of scripts lend to screens of other features; there is no other way in.
export { CodeArea } from './code-area.tsx';
