// What the screens of snippets lend to screens of other features; there is no other way in.
export { SnippetMenu } from './snippet-menu.tsx';
