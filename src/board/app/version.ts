/** The version in package.json: scripts/build-board.ts puts it here. */
declare const BOARD_VERSION: string;

/** The version of the service that this board was built with. */
export const version: string = BOARD_VERSION;
