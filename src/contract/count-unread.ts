interface Counted {
  readonly counted: Readonly<Record<string, number>>;
}

/** Unread messages that a badge shows. */
export const countUnread = (
  { counted }: Counted,
  { id, unread }: { readonly id: string; readonly unread: number },
): number => counted[id] ?? unread;
