// Owns how the screens are built (into dist/ui, served by the product itself) and how they run while they are written:
// a development server that hands /api and /mcp to a product on 127.0.0.1:PORT.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const product = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`;

const REACH = fileURLToPath(new URL('src/ui/client/reach.ts', import.meta.url));

/** Every part of the screens that is loaded later waits for a product that is away, wherever it is loaded from. */
const arriving: Plugin = {
  name: 'arriving',
  transform(code, id) {
    if (!/\/src\/(ui|features)\/[^?]*\.tsx?$/.test(id) || !/\bimport\(/.test(code)) return null;
    const waits = code.replaceAll(/\bimport\((['"][^'"]+['"])\)/g, '__arriving(() => import($1))');
    return { code: `import { arriving as __arriving } from ${JSON.stringify(REACH)};\n${waits}`, map: null };
  },
};

export default defineConfig({
  root: 'src/ui',
  base: '/',
  plugins: [react(), arriving],
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    // No data: addresses for scripts or styles: the product's content policy admits only files of its own.
    assetsInlineLimit: 0,
    // One file of styles for all screens: in ninety of their own they were a fifth of the requests of a first visit, and together
    // they compress to two thirds.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every screen is on changes least: one file, kept by the browser over releases.
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-)?(router|query|store|history)[^/]*)\//,
            },
            // What every visit begins with: in files of their own its parts were thirty requests before anything exists.
            { name: 'start', tags: ['$initial'] },
            // What most screens are made of. Parts of Mantine stay apart: together they would weigh more than a first visit may.
            { name: 'common', test: /\/src\/ui\/(kit|client|shell)\/|\/lucide-react\//, minShareCount: 25 },
            // The drawings of the navigation: apart, each costs as much again for its own file.
            {
              name: 'marks',
              test: /lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|defaultAttributes|shared\/.*|icons\/(building-complex|building-2|hand-coins|hand-coin.*|rotate-ccw-clock|history|inbox|messages-square|bot|cog|circle|plus|compass|lock|mail-check|megaphone|settings|square-kanban|send|stamp|sun|users|workflow|key-round|cloud-off|circle-check|circle-exclamation-point|bell|menu|chevrons-up-down|keyboard|panel-left|search))\.(m?js)$/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': product, '/mcp': product, '/healthz': product },
  },
});
