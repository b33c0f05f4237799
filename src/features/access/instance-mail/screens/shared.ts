// What the screens of instance-mail lend to screens of other features; there is no other way in.
export { MailSection } from './mail-section.tsx';
