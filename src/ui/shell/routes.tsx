// Every address of the screens, as one typed tree. Each screen is loaded when it is first opened.
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { desk, root } from './desk-route.tsx';
import { listState, setUpKey, target } from './list-state.ts';
import { NothingHere, Opening, OpeningAlone, RouteTrouble, TroubleAlone } from './route-states.tsx';
import { campaignsRoutes } from './campaigns-routes.tsx';
import { chatRoutes } from './chat-routes.tsx';
import { dealsRoutes } from './deals-routes.tsx';
import { inboxRoutes } from './inbox-routes.tsx';
import { lettersRoutes } from './letters-routes.tsx';
import { peopleRoutes } from './people-routes.tsx';
import { settingsRoutes } from './settings-routes.tsx';
import { workflowsRoutes } from './workflows-routes.tsx';

/** Before the desk there is no frame around a screen. */
const alone = { pendingComponent: OpeningAlone, errorComponent: TroubleAlone };

const setUp = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/setup',
  validateSearch: setUpKey,
  component: lazyRouteComponent(
    () => import('../../features/access/sessions/screens/set-up.tsx'),
    'SetUpScreen',
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/sign-in',
  validateSearch: target,
  component: lazyRouteComponent(
    () => import('../../features/access/sessions/screens/sign-in.tsx'),
    'SignInScreen',
  ),
});

const invite = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/invite/$token',
  component: lazyRouteComponent(
    () => import('../../features/access/sessions/screens/accept-invite.tsx'),
    'AcceptInviteScreen',
  ),
});

const forgot = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/reset',
  component: lazyRouteComponent(
    () => import('../../features/access/sessions/screens/forgot-password.tsx'),
    'ForgotPasswordScreen',
  ),
});

const reset = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/reset/$token',
  component: lazyRouteComponent(
    () => import('../../features/access/sessions/screens/reset-password.tsx'),
    'ResetPasswordScreen',
  ),
});

const home = createRoute({
  getParentRoute: () => desk,
  path: '/',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/instance/today/screens/today.tsx'),
    'TodayScreen',
  ),
});

const board = lazyRouteComponent(
  () => import('../../features/work/work/screens/board/board.tsx'),
  'BoardScreen',
);

// The board of no project in particular: the screen leads on to the default one, or says how to make the first.
const work = createRoute({
  getParentRoute: () => desk,
  path: '/work',
  validateSearch: listState,
  component: board,
});

const project = createRoute({
  getParentRoute: () => desk,
  path: '/work/$project',
  validateSearch: listState,
  component: board,
});

const item = createRoute({
  getParentRoute: () => desk,
  path: '/work/$project/$item',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/work/work/screens/item/item.tsx'), 'ItemScreen'),
});

const approvals = createRoute({
  getParentRoute: () => desk,
  path: '/approvals',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/work/approvals/screens/approvals.tsx'),
    'ApprovalsScreen',
  ),
});

const start = createRoute({
  getParentRoute: () => desk,
  path: '/start',
  component: lazyRouteComponent(
    () => import('../../features/instance/start/screens/start.tsx'),
    'StartScreen',
  ),
});

const guide = createRoute({
  getParentRoute: () => desk,
  path: '/guide/$page',
  component: lazyRouteComponent(
    () => import('../../features/instance/start/screens/guide.tsx'),
    'GuideScreen',
  ),
});

const activity = createRoute({
  getParentRoute: () => desk,
  path: '/activity',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/access/audit/screens/activity.tsx'),
    'ActivityScreen',
  ),
});

// Every part of the kit in every state: for whoever builds and looks after the screens.
const kit = createRoute({
  getParentRoute: () => desk,
  path: '/kit',
  component: lazyRouteComponent(() => import('./kit-screen.tsx'), 'KitScreen'),
});

const routeTree = root.addChildren([
  setUp,
  signIn,
  invite,
  forgot,
  reset,
  desk.addChildren([
    home,
    ...inboxRoutes,
    ...peopleRoutes,
    ...dealsRoutes,
    ...lettersRoutes,
    ...campaignsRoutes,
    work,
    project,
    item,
    approvals,
    ...chatRoutes,
    ...workflowsRoutes,
    start,
    guide,
    activity,
    kit,
    settingsRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: Opening,
  defaultPendingMs: 150,
  defaultErrorComponent: RouteTrouble,
  defaultNotFoundComponent: NothingHere,
  scrollRestoration: true,
  // Plain `?name=value`, every value text: an address that people can read.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
    return text ? `?${text}` : '';
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
