// What the screens of notifications share with screens of other features; nothing else is imported from there.
export { NoticeFields } from './notice-fields.tsx';
