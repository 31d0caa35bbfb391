/**
 * The words of all messages, in the same encrypted file. No text is kept twice: rows are those of `messages`, by number.
 * A room is a word of its own, so that a search in one room does not look through those of all.
 */
export const searchSchema = `
CREATE VIRTUAL TABLE search USING fts5 (text, room, content = '', tokenize = 'unicode61 remove_diacritics 2');
`;
