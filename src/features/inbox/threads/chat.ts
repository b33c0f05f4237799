// What threads know of a chat that goes on, and no more: whoever runs chats states it, and features.ts hands it over.
import type { House } from '../../../kernel/house.ts';
import type { ChatNews } from './chat.contract.ts';

/** A conversation with an agent as it happens, until the signal. Who may see it is asked before. */
export type FollowChat = (house: House, thread_id: string, signal: AbortSignal) => AsyncGenerator<ChatNews>;
