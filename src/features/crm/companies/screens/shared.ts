// What the screens of companies share with screens of other features; nothing else is imported from there.
export { CompanyFinder } from './company-finder.tsx';
