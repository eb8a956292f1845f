/** Types of the JSON documents of the Python library pontedeldiavolo, made of its JSON schema. */

/** A document of any kind, or of the kinds that are named: `Document<"game">`. */
export type Document<K extends keyof Kinds = keyof Kinds> = {
  [P in K]: { format: "pontedeldiavolo"; version: 1; kind: P; value: Kinds[P] };
}[K];

/** The type of the value of each kind of documents. */
export interface Kinds {
  color: Color;
  seat: Seat;
  phase: Phase;
  tiebreak: Tiebreak;
  "decided-by": DecidedBy;
  ending: Ending;
  "violation-code": ViolationCode;
  cell: Cell;
  board: Board;
  rules: Rules;
  "place-tiles": PlaceTiles;
  "place-tile": PlaceTile;
  "build-bridge": BuildBridge;
  "choose-color": ChooseColor;
  pass: Pass;
  bridge: Bridge;
  setup: Setup;
  position: Position;
  "game-state": GameState;
  "half-turn": HalfTurn;
  score: Score;
  outcome: Outcome;
  violation: Violation;
  move: Move;
  line: Line;
  game: Game;
  record: Record;
  snapshot: Snapshot;
}

/** A colour of tiles. */
export type Color = "white" | "red";

/** A player: the first makes white's first move, the second then chooses a colour. */
export type Seat = "first" | "second";

/** A part of the game. */
export type Phase = "opening" | "color-choice" | "play" | "last-turn" | "over";

/** A criterion that may decide between equal points. */
export type Tiebreak = "islands" | "bridges";

/** The criterion that decided a game that was played out; 'nothing' is a draw. */
export type DecidedBy = "points" | "islands" | "bridges" | "nothing";

/** The way in which a game ended; 'scored' is played out. */
export type Ending = "scored" | "resignation" | "time" | "agreement" | "adjudication";

/** The code of a rule that an action or a set-up can break. */
export type ViolationCode = "game-over" | "wrong-phase" | "off-board" | "same-cell" | "occupied" | "blocked" | "group-too-large" | "island-touched" | "no-partner" | "not-a-bridge-shape" | "not-your-tile" | "end-used" | "tile-beneath" | "crosses" | "no-tiles-left" | "no-bridges-left" | "pair-exists" | "ends-differ" | "board-mismatch" | "tiles-exceed-supply" | "bridges-exceed-supply" | "not-an-opening" | "not-a-color-choice" | "not-a-last-turn" | "not-over" | "wrong-turn" | "wrong-owners";

/** A cell: the letters of its column from the left (a to z, aa, ab and so on), then its row from the bottom. It may lie off the board in values that allow it. */
export type Cell = string;

/** A rectangle of cells. */
export interface Board {
  /** The number of columns. */
  width: number;
  /** The number of rows. */
  height: number;
}

/** The rules in use. */
export interface Rules {
  board: Board;
  /** The supply of tiles of each colour; null is unlimited. */
  tiles_per_color: Supply;
  /** The supply of bridges that both colours share; null is unlimited. */
  bridges: Supply;
  /** The criteria that decide between equal points, in order. */
  tiebreaks: Tiebreak[];
}

/** Two tiles, a whole turn: two cells in either order, written by row, then by column. */
export type PlaceTiles = string;

/** One tile, half of a turn. */
export type PlaceTile = Cell;

/** The building of a bridge, a whole turn. */
export type BuildBridge = Bridge;

/** The choice of a colour. */
export type ChooseColor = Color;

/** A pass. */
export type Pass = "pass";

/** A bridge by its two ends, in either order, written by row, then by column. In a set-up they may be any two cells. */
export type Bridge = string;

/** Any diagram of tiles and bridges on a board, legal or not. */
export interface Setup {
  board: Board;
  /** The cells of white's tiles; they may lie off the board. */
  white: Cells;
  /** The cells of red's tiles; they may lie off the board. */
  red: Cells;
  /** The bridges, between any two cells. */
  bridges: Bridges;
}

/** The pieces on a board, obeying every rule about tiles and bridges. */
export type Position = Setup;

/** A game at one moment. */
export interface GameState {
  rules: Rules;
  /** The cells of white's tiles. */
  white: Cells;
  /** The cells of red's tiles. */
  red: Cells;
  /** The bridges of both colours; the tiles under the ends give the owner. */
  bridges: Bridges;
  phase: Phase;
  /** The colour to move; null while the colour is chosen and when the game is over. */
  to_move: Color | null;
  /** The seat that owns white; null before the choice. */
  white_owner: Seat | null;
}

/** A state, and the first of two tiles that are about to be placed. */
export interface HalfTurn {
  state: GameState;
  /** The cell of the first tile; at least one second tile completes a legal pair. */
  placed_tile: Cell;
}

/** The score of a colour. */
export interface Score {
  /** The sum over its networks of n(n+1)/2 for n islands. */
  points: Count;
  /** Its islands. */
  islands: Count;
  /** Its bridges. */
  bridges: Count;
}

/** The result of a game that was played out, with its reason. */
export interface Outcome {
  /** The winning colour; null is a draw. */
  winner: Color | null;
  /** The seat that owns the winning colour; null is a draw. */
  winning_seat: Seat | null;
  decided_by: DecidedBy;
  /** White's score. */
  white: Score;
  /** Red's score. */
  red: Score;
}

/** A rule that an action or a set-up breaks, and the place. */
export interface Violation {
  code: ViolationCode;
  /** The cells at fault; they may lie off the board. */
  cells: Cell[];
  /** The bridges in the way. */
  bridges: Bridge[];
  /** The numbers and words that a sentence about it needs, by name. */
  values: { [name: string]: number | string };
  /** The cells at fault by their role, such as 'new' and 'island'. */
  roles?: { [name: string]: Cell[] };
}

/** One action of a line, with annotations. Empty fields are left out. */
export interface Move {
  action: Action;
  /** Numeric annotation glyphs as in PGN: 1 is a good move, 2 a poor one. */
  nags?: number[];
  /** The comment after it, in one or more lines. */
  comment?: string;
  /** Data of programs by name, without ']': 'clk' is the mover's clock after the move, 'emt' the time that it took, both as in '0:09:58.5'; 'eval' is the value of the state after it for the first seat, from -1 to 1. */
  annotations?: { [name: string]: string };
  /** Lines that could have been played instead of it, each with at least one move. */
  variations?: Variation[];
}

/** Moves one after another. */
export interface Line {
  /** The comment before the first move; left out if it is empty. */
  comment?: string;
  /** The moves. */
  moves: Move[];
}

/** A recorded game. Every action in it is legal. */
export interface Game {
  /** The state before the first action. */
  start: GameState;
  tags: Tags;
  /** The main line, with comments and variations. */
  line: Line;
  /** The way in which it ended, 'scored' exactly if it was played out; null while it goes on. */
  ending: Ending | null;
  /** The winner; null for a draw and while it goes on. */
  winning_seat: Seat | null;
}

/** A record as it was read from a text, with unchecked actions. */
export interface Record {
  /** The state that it starts from. */
  start: GameState;
  tags: Tags;
  /** Its moves, legal or not. */
  line: Line;
  /** The winner according to the record; '*' if it names none or the game goes on. */
  result: "white" | "red" | "first" | "second" | "draw" | "*";
  /** The way in which it ended according to the record; null without one. */
  ending: Ending | null;
  /** The number of the game in its file, from 1. */
  number: Count;
  /** The places in the text from which it was read, for errors. */
  places: {
    /** One place for each move of the line: each move, its variations, the next move. */
    moves: Place[];
    /** The place of the result; null if there is none. */
    result: Place | null;
    ending: Place;
  };
}

/** The appearance of a game, a state or a half turn and the legal next steps, for a board in a browser. It cannot be read back. */
export interface Snapshot {
  board: Board;
  phase: Phase;
  /** The number of pairs, bridges and passes so far. */
  turn: Count;
  /** The seat to act; null when the game is over. */
  seat_to_move: Seat | null;
  /** The colour to act; null for the choice of one and when the game is over. */
  to_move: Color | null;
  /** All about white. */
  white: SnapshotSide;
  /** All about red. */
  red: SnapshotSide;
  /** The cells under bridges, where no tile goes. */
  blocked: Cells;
  /** The number of bridges in the supply that both colours share. */
  bridges_left: Supply;
  /** In a half turn the cell of the first tile, which is not among the tiles; else null. */
  placed_tile: Cell | null;
  /** The legal cells for the next tile: the first of two, or in a half turn the second. */
  targets: Cells;
  /** For a first tile, the targets that cannot be the second. All other targets can; a target that is not listed goes with all others. */
  conflicts: { [name: string]: Cells };
  /** The legal bridges. */
  buildable: Bridges;
  /** Other legal actions: the choice of a colour, or the pass. */
  other_actions: (ChooseColor | Pass)[];
  /** The last action; null if it is not given. */
  last: Action | PlaceTile | null;
  /** The outcome; null while the game is not over. */
  outcome: Outcome | null;
  /** Sentences for people, all in one language. */
  sentences: {
    /** The player to move and the kind of action. */
    state: string;
    /** The last action; null if it is not given. */
    last: string | null;
    /** The outcome; null while the game is not over. */
    result: string | null;
  };
  /** Of a game only: the colour that won, draw, or * while it is not over; the seat that won before the colours were chosen. */
  result?: "white" | "red" | "first" | "second" | "draw" | "*";
  /** Of a game only: the kind of ending; null while it is not over. After the end there are no legal actions, and the phase is 'over'. */
  ending?: Ending | null;
  /** Of a game only: the winner; null for a draw and while it is not over. */
  winning_seat?: Seat | null;
  /** Of a game only: all actions of the main line. */
  moves?: Action[];
}

/** A whole turn, or the choice of a colour. No two kinds of action are written alike. */
export type Action = PlaceTiles | BuildBridge | ChooseColor | Pass;

/** Cells, each of them once. */
export type Cells = Cell[];

/** Bridges, each of them once. */
export type Bridges = Bridge[];

/** A whole number, or null for an unlimited supply. */
export type Supply = number | null;

/** A whole number. */
export type Count = number;

/** Facts about a game, by name. Four names are reserved for facts that follow from the game itself. */
export type Tags = { [name: string]: string };

/** Moves that could have been played instead of one. */
export interface Variation {
  /** The comment before the first move; left out if it is empty. */
  comment?: string;
  /** The moves, at least one. */
  moves: [Move, ...Move[]];
}

/** A line and a column of a text, both from 1. */
export type Place = [number, number];

/** All about a colour in a snapshot. */
export interface SnapshotSide {
  /** The seat that owns the colour; null before the choice. */
  owner: Seat | null;
  /** The cells of its tiles. */
  tiles: Cells;
  /** Its bridges. */
  bridges: Bridges;
  /** Its groups as bridges join them; a group without bridges is a network by itself. */
  networks: ({
    /** Its groups of four. */
    islands: Cells[];
    /** Its smaller groups. */
    sandbanks: Cells[];
    /** The bridges between them. */
    bridges: Bridges;
    /** The points that it scores. */
    points: Count;
  })[];
  /** Its current score. */
  score: Score;
  /** The number of its tiles in the supply. */
  tiles_left: Supply;
}
