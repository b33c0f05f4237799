// What the screens of scripts share with screens of other features; nothing else is imported from there.
export { CodeArea } from './code-area.tsx';
