// The address of chat: the conversation that is open is in it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const chat = createRoute({
  getParentRoute: () => desk,
  path: '/chat',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/chat/screens/chat.tsx'),
    'ChatScreen',
  ),
});

export const chatRoutes = [chat] as const;
