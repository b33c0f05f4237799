// What screens of other parts show of bulk actions.
export { outcomeOf, titleOf } from './words.ts';
