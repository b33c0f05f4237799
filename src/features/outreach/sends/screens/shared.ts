// What the screens of sends share with screens of other features; nothing else is imported from there.
export { difference } from './difference.rules.ts';
export { isOver } from './why/waiting.rules.ts';
export { WhyButton } from './why/why-button.tsx';
export { WhyNot } from './why/why-not.tsx';
export { AGAIN, inWords } from './words.ts';
