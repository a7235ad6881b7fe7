import type { ChatServer } from './chat/chat-server.ts';
import type { DataService } from './service/data-service.ts';

/** The environment variables that point a bot at the sandbox. */
export function botSettings(
  chat: Pick<ChatServer, 'token' | 'apiUrl'>,
  dataService: Pick<DataService, 'url' | 'key'>,
  storeUrl: string,
) {
  return {
    DISCORD_TOKEN: chat.token,
    DISCORD_API_URL: chat.apiUrl,
    SERVICE_URL: dataService.url,
    SERVICE_KEY: dataService.key,
    STORE_URL: storeUrl,
  };
}
