// Makers of clients build their output with the classic compiler's library, which TypeScript 7 has no more: to them, and to
// no one else, `typescript` is the last version that has it. For `--import`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-for-generators' : specifier, context),
});
