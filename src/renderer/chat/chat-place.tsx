import { ChatPage } from './chat-page.tsx';
import { NoRoomChosen } from './no-room-chosen.tsx';

export function ChatPlace({ room }: { room: string | null }) {
  return room === null ? <NoRoomChosen /> : <ChatPage key={room} roomId={room} />;
}
