// What the screens of sends lend to screens of other features; there is no other way in.
export { difference } from './difference.rules.ts';
export { isOver } from './why/waiting.rules.ts';
export { WhyButton } from './why/why-button.tsx';
export { WhyNot } from './why/why-not.tsx';
export { AGAIN, inWords } from './words.ts';
