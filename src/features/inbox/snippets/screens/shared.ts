// What the screens of snippets share with screens of other features; nothing else is imported from there.
export { SnippetMenu } from './snippet-menu.tsx';
