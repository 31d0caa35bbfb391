/** `#/approval/<id>` is one question without the frame around it: nothing there leads into the rest of the house. */
export const lonePlace = '#/approval/';

export const isLone = (): boolean => location.hash.startsWith(lonePlace);
