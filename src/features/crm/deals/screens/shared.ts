// What the screens of deals share with screens of other features; nothing else is imported from there.
export { moneyText } from './money.rules.ts';
export { STATE, stageTitle, useStages } from './words.ts';
