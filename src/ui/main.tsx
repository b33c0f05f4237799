// Where the screens begin: styles in layers (Mantine's below our own), the theme, the queries and the router.
import '@mantine/core/styles.layer.css';
import './theme/tokens.css';
import './theme/base.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './client/topics.ts';
import { router } from './shell/routes.tsx';
import { theme, variables } from './theme/theme.ts';

const scheme = localStorageColorSchemeManager({ key: 'dunnock-scheme' });
const root = document.getElementById('root');

if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={scheme}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
