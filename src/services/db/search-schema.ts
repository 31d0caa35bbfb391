/**
 * The full-text index of all messages, in the same encrypted file. It stores no second copy of the text: its
 * rowids are those of `messages`. A room is an index term too, so that a search in one room does not scan all
 * rooms.
 */
export const searchSchema = `
CREATE VIRTUAL TABLE search USING fts5 (text, room, content = '', tokenize = 'unicode61 remove_diacritics 2');
`;
