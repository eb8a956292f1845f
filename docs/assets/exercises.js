// @ts-check
// Exercises: a reader answers by mouse or keyboard, and each answer gets its verdict at once. The
// library has judged all answers while the pages were built; this script only shows its verdicts.
(() => {
  /** @typedef {{size: [number, number], picture: {margin: number, far: number, cell: number}, sentences: number[], verdicts: string, labels?: string[]}} Data */
  /** @typedef {{button: HTMLButtonElement, label: string, isRight: boolean, sentence: string}} Answer */

  const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const SVG = "http://www.w3.org/2000/svg";
  const WORDS = {
    en: {
      answers: "Answers",
      board: "Board. The arrow keys move between cells, Enter answers.",
      found: "{found} of {all} found",
      faults: "{faults} wrong",
      fault: "1 wrong",
      done: "Solved: all {all} found",
      one: "Solved",
      begun: "Not answered yet",
      solution: "Show solution",
      shown: "The solution is shown. Choose any answer to read why.",
      again: "Start again",
      right: "right",
      wrong: "wrong",
    },
    de: {
      answers: "Antworten",
      board: "Brett. Die Pfeiltasten wechseln das Feld, die Eingabetaste antwortet.",
      found: "{found} von {all} gefunden",
      faults: "{faults} falsch",
      fault: "1 falsch",
      done: "Gelöst: alle {all} gefunden",
      one: "Gelöst",
      begun: "Noch keine Antwort",
      solution: "Lösung zeigen",
      shown: "Die Lösung ist zu sehen. Jede Antwort zeigt auf Klick ihre Begründung.",
      again: "Neu beginnen",
      right: "richtig",
      wrong: "falsch",
    },
  };
  const words = document.documentElement.lang === "de" ? WORDS.de : WORDS.en;
  /** @type {string[]} */
  const sentences = JSON.parse(document.getElementById("exercise-sentences")?.textContent ?? "[]");

  /**
   * Return a text with its values.
   *
   * @param {string} text
   * @param {Record<string, number>} values
   */
  function filled(text, values) {
    return text.replace(/{([a-z]+)}/g, (whole, name) => String(values[name] ?? whole));
  }

  /**
   * Return a new element.
   *
   * @template {keyof HTMLElementTagNameMap} T
   * @param {T} tag
   * @param {string} kind - its class
   * @param {string} [text]
   */
  function element(tag, kind, text = "") {
    const made = document.createElement(tag);
    made.className = kind;
    made.textContent = text;
    return made;
  }

  /**
   * Return a new button.
   *
   * @param {string} kind
   * @param {string} text
   */
  function button(kind, text) {
    const made = element("button", kind, text);
    made.type = "button";
    return made;
  }

  /**
   * Return the column and the row of a cell from the lower left corner, or null for another text.
   *
   * @param {string} text
   */
  function place(text) {
    const [, letters, digits] = /^([a-z]+)(\d+)$/.exec(text) ?? [];
    if (!letters || !digits) return null;
    let column = 0;
    for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 96;
    return { column: column - 1, row: Number(digits) - 1 };
  }

  /**
   * Return the name of a cell.
   *
   * @param {number} column
   * @param {number} row
   */
  function name(column, row) {
    let letters = "";
    for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
      letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
    return `${letters}${row + 1}`;
  }

  /** An exercise of the page. */
  class Exercise {
    /** @param {HTMLElement} root */
    constructor(root) {
      this.root = root;
      /** @type {Data} */
      this.data = JSON.parse(root.dataset["exercise"] ?? "");
      this.columns = this.data.size[0];
      this.rows = this.data.size[1];
      this.isShown = false;
      this.found = 0;
      this.faults = 0;
      const isBoard = !this.data.labels;
      this.labels = this.data.labels ?? this.cells();
      this.picture = /** @type {HTMLElement} */ (root.querySelector(".exercise-picture"));
      this.board = element("div", "exercise-board");
      this.picture.replaceWith(this.board);
      this.board.append(this.picture);
      this.question = /** @type {HTMLElement} */ (root.querySelector(".exercise-question"));
      this.list = element("div", isBoard ? "exercise-cells" : "exercise-answers");
      this.list.role = "group";
      this.list.ariaLabel = isBoard ? words.board : words.answers;
      this.answers = this.labels.map((label, number) => this.answer(label, number));
      this.needed = this.answers.filter((each) => each.isRight).length;
      this.progress = element("span", "exercise-progress");
      this.said = element("p", "exercise-said");
      this.said.role = "status";
      this.said.ariaLive = "polite";
      this.solution = button("exercise-tool", words.solution);
      this.again = button("exercise-tool", words.again);
      const tools = element("p", "exercise-tools");
      tools.append(this.progress, this.solution, this.again);
      if (isBoard) {
        this.cover();
        this.board.append(this.list);
        root.append(this.said, tools);
      } else {
        this.drawLines();
        root.append(this.list, this.said, tools);
      }
      this.solution.addEventListener("click", () => this.showSolution());
      this.again.addEventListener("click", () => this.restart());
      if (isBoard) this.list.addEventListener("keydown", (event) => this.move(event));
      this.restart();
      this.said.textContent = "";
    }

    /** Return the names of the cells row by row, from the upper left corner. */
    cells() {
      const found = [];
      for (let row = this.rows - 1; row >= 0; row -= 1)
        for (let column = 0; column < this.columns; column += 1) found.push(name(column, row));
      return found;
    }

    /**
     * Return an answer with its button.
     *
     * @param {string} label
     * @param {number} number
     * @returns {Answer}
     */
    answer(label, number) {
      const at = DIGITS.indexOf(this.data.verdicts[number] ?? "");
      const marked = sentences[this.data.sentences[at] ?? -1] ?? "";
      const shown = this.data.labels ? label : "";
      const made = button("exercise-answer", shown);
      made.dataset["answer"] = label;
      const answer = {
        button: made,
        label,
        isRight: marked.startsWith("+"),
        sentence: marked.slice(1).replaceAll("@", label),
      };
      made.addEventListener("click", () => this.give(answer));
      this.list.append(made);
      return answer;
    }

    /** The width and the height of the picture, in the units of its view box. */
    get pictureSize() {
      const { margin, far, cell } = this.data.picture;
      return { width: margin + cell * this.columns + far, height: far + cell * this.rows + margin };
    }

    /** Put the buttons of the cells over the picture. */
    cover() {
      const { margin, far } = this.data.picture;
      const { width, height } = this.pictureSize;
      const style = this.list.style;
      style.left = `${(100 * margin) / width}%`;
      style.right = `${(100 * far) / width}%`;
      style.top = `${(100 * far) / height}%`;
      style.bottom = `${(100 * margin) / height}%`;
      style.gridTemplateColumns = `repeat(${this.columns}, 1fr)`;
      style.gridTemplateRows = `repeat(${this.rows}, 1fr)`;
      for (const { button } of this.answers) button.tabIndex = -1;
      const first = this.answers[0];
      if (first) first.button.tabIndex = 0;
    }

    /** Draw a line over the picture for each bridge among the answers. */
    drawLines() {
      const { margin, far, cell } = this.data.picture;
      const { width, height } = this.pictureSize;
      const drawing = document.createElementNS(SVG, "svg");
      drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
      drawing.setAttribute("class", "exercise-lines");
      drawing.setAttribute("aria-hidden", "true");
      /** @param {{column: number, row: number}} cell */
      const middle = ({ column, row }) => [
        margin + cell * (column + 0.5),
        far + cell * (this.rows - row - 0.5),
      ];
      for (const { label, button } of this.answers) {
        const [start, end] = label.split("-").map(place);
        if (!start || !end) continue;
        const line = document.createElementNS(SVG, "line");
        const [x1, y1] = middle(start);
        const [x2, y2] = middle(end);
        for (const [key, value] of Object.entries({ x1, y1, x2, y2 }))
          line.setAttribute(key, String(value));
        line.dataset["line"] = label;
        line.addEventListener("click", () => button.click());
        drawing.append(line);
        for (const event of ["mouseenter", "focus"])
          button.addEventListener(event, () => line.classList.add("pointed"));
        for (const event of ["mouseleave", "blur"])
          button.addEventListener(event, () => line.classList.remove("pointed"));
      }
      this.board.append(drawing);
    }

    /**
     * Show the verdict on an answer.
     *
     * @param {Answer} answer
     */
    give(answer) {
      const isNew = !answer.button.dataset["verdict"];
      this.mark(answer);
      if (isNew && !this.isShown) {
        if (answer.isRight) this.found += 1;
        else this.faults += 1;
      }
      const sign = element("span", answer.isRight ? "exercise-right" : "exercise-wrong");
      sign.textContent = answer.isRight ? "✓ " : "✗ ";
      const what = element("strong", "", answer.label);
      this.said.replaceChildren(sign, what, `: ${answer.sentence}`);
      if (this.data.labels && answer.sentence === answer.label)
        this.said.replaceChildren(sign, what);
      this.count();
    }

    /**
     * Mark an answer as right or wrong.
     *
     * @param {Answer} answer
     */
    mark({ button, label, isRight }) {
      button.dataset["verdict"] = isRight ? "right" : "wrong";
      button.ariaLabel = `${label}: ${isRight ? words.right : words.wrong}`;
      const line = this.board.querySelector(`[data-line="${label}"]`);
      if (line instanceof SVGElement) line.dataset["verdict"] = isRight ? "right" : "wrong";
    }

    /** Show how many answers are found. */
    count() {
      const values = { found: this.found, all: this.needed, faults: this.faults };
      const isSolved = this.found === this.needed;
      const parts = [];
      if (isSolved) parts.push(filled(this.needed === 1 ? words.one : words.done, values));
      else if (this.found + this.faults > 0) parts.push(filled(words.found, values));
      else parts.push(words.begun);
      if (this.faults === 1) parts.push(words.fault);
      if (this.faults > 1) parts.push(filled(words.faults, values));
      const text = `${parts.join(", ")}.`;
      this.root.dataset["state"] = isSolved ? "solved" : "open";
      if (isSolved && this.root.dataset["told"] !== text) {
        this.root.dataset["told"] = text;
        this.said.append(element("span", "exercise-heard", ` ${text}`));
      }
      this.progress.textContent = this.isShown ? "" : text;
    }

    /** Show the verdicts on all answers. */
    showSolution() {
      this.isShown = true;
      for (const answer of this.answers) this.mark(answer);
      this.said.textContent = words.shown;
      this.progress.textContent = "";
    }

    /** Forget all answers. */
    restart() {
      this.isShown = false;
      this.found = 0;
      this.faults = 0;
      for (const { button, label } of this.answers) {
        delete button.dataset["verdict"];
        button.ariaLabel = label;
      }
      for (const line of this.board.querySelectorAll("line")) delete line.dataset["verdict"];
      delete this.root.dataset["told"];
      this.said.textContent = "";
      this.count();
    }

    /**
     * Move the focus between the cells with the arrow keys.
     *
     * @param {KeyboardEvent} event
     */
    move(event) {
      const now = this.answers.findIndex(({ button }) => button === document.activeElement);
      const column = now % this.columns;
      const row = Math.floor(now / this.columns);
      /** @type {Record<string, [number, number]>} */
      const targets = {
        ArrowLeft: [column - 1, row],
        ArrowRight: [column + 1, row],
        ArrowUp: [column, row - 1],
        ArrowDown: [column, row + 1],
        Home: [0, row],
        End: [this.columns - 1, row],
      };
      const [x, y] = targets[event.key] ?? [-1, -1];
      if (now < 0 || !targets[event.key]) return;
      event.preventDefault();
      if (x < 0 || x >= this.columns || y < 0 || y >= this.rows) return;
      const next = this.answers[y * this.columns + x]?.button;
      for (const { button } of this.answers) button.tabIndex = button === next ? 0 : -1;
      next?.focus();
    }
  }

  for (const root of document.querySelectorAll(".exercise"))
    if (root instanceof HTMLElement) new Exercise(root);
})();
