// What the screens of deals lend to screens of other features; there is no other way in.
export { moneyText } from './money.rules.ts';
export { STATE, stageTitle, useStages } from './words.ts';
