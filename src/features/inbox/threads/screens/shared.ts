// What the screens of threads share with screens of other features; nothing else is imported from there.
export { answersOf, useAnswer } from './compose/use-answer.ts';
