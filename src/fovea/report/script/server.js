// --- answers on their way to the server of this page, if it has one

// Keeps answers until the server has saved them: those that it could not save are sent again.
class Server {
  constructor() {
    this.unsent = new Map();
    this.said = make("output", {}, "Answers are saved as they come.");
    this.parts = [make("button", { type: "button", on: { click: () => this.finish() } }, "That is all"), this.said];
    window.addEventListener("beforeunload", (event) => { if (this.unsent.size > 0) event.preventDefault(); });
  }
  async post(path, message) {
    const reply = await fetch(path, { method: "POST", body: JSON.stringify(message),
                                      headers: { "Content-Type": "application/json", "X-Fovea-Page": PAGE.server.secret } });
    const body = await reply.json().catch(() => ({}));
    if (!reply.ok) throw new Error(body.error || `the server answers ${reply.status}`);
    return body;
  }
  // Reads the answers that are there already, and calls `done`.
  async recall(block, answers, done) {
    const name = (first, second) => JSON.stringify([first, second].sort());
    const places = new Map(block.pairs.map(([a, b], i) => [name(block.ids[a], block.ids[b]), i]));
    try {
      for (const [first, second, same] of (await this.post("/answers", {})).answers)
        if (places.has(name(first, second))) answers.set(places.get(name(first, second)), same);
      done();
    } catch (error) {
      this.said.textContent = `Answers of before cannot be shown: ${error.message}.`;
    }
  }
  put(key, message) {
    this.unsent.set(key, message);
    this.send();
  }
  async send() {
    if (this.isSending) return;
    this.isSending = true;
    clearTimeout(this.later);
    try {
      while (this.unsent.size > 0) {
        const [key, message] = this.unsent.entries().next().value;
        const body = await this.post("/answer", message);
        if (this.unsent.get(key) === message) this.unsent.delete(key);
        this.said.textContent = `${tidy(body.answers)} answers are saved.`;
      }
    } catch (error) {
      this.said.textContent = `${tidy(this.unsent.size)} answers are not saved yet: ${error.message}. They are sent again.`;
      this.later = setTimeout(() => this.send(), 2000);
    }
    this.isSending = false;
  }
  async finish() {
    await this.send();
    if (this.unsent.size > 0) return;
    try {
      await this.post("/finish", {});
      this.said.textContent = "All answers are saved, and the command goes on in its terminal. You can close this page.";
      for (const button of this.parts[0].parentNode.querySelectorAll("button")) button.disabled = true;
    } catch (error) {
      this.said.textContent = `Not finished: ${error.message}.`;
    }
  }
}
