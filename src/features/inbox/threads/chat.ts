// What threads know of a chat that goes on, and no more: whoever runs chats states it, and features.ts hands it over.
import type { App } from '../../../kernel/app.ts';
import type { ChatEvent } from './chat.contract.ts';

/** A conversation with an agent as it happens, until the signal. Who may see it is asked before. */
export type FollowChat = (app: App, thread_id: string, signal: AbortSignal) => AsyncGenerator<ChatEvent>;
