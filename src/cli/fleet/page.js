const body = document.querySelector("#nodes tbody");
document.querySelector("#filter").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const row of body.rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
});
document.querySelectorAll("#nodes th").forEach((head, column) => {
  let direction = -1;
  head.addEventListener("click", () => {
    direction = -direction;
    const of = (row) => {
      const text = row.cells[column].textContent;
      return head.dataset.by === "number" ? parseFloat(text) || 0 : text;
    };
    const rows = [...body.rows].sort((one, other) => {
      const [a, b] = [of(one), of(other)];
      return direction * (a < b ? -1 : a > b ? 1 : 0);
    });
    body.append(...rows);
  });
});
// A link to a message opens it.
const open = () => {
  const target = location.hash && document.querySelector(location.hash);
  if (target) target.open = true;
};
addEventListener("hashchange", open);
open();
