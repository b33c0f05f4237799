// What the screens of companies lend to screens of other features; there is no other way in.
export { CompanyFinder } from './company-finder.tsx';
