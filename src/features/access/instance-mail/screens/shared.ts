// What the screens of instance-mail share with screens of other features; nothing else is imported from there.
export { MailSection } from './mail-section.tsx';
