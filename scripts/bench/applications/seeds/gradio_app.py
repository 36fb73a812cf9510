"""Gradio components in three tabs: a form, a chat, and a table of 300 rows."""

import os

import gradio as gr


def label(name: str, size: str, weight: float, fragile: bool) -> str:
    return f"Label for {name}: {size}, {weight} kg{', fragile' if fragile else ''}"


with gr.Blocks(title="Dispatch") as demo:
    gr.Markdown("# Dispatch")
    with gr.Tab("Labels"):
        name = gr.Textbox(label="Name")
        size = gr.Dropdown(["Small", "Medium", "Large"], label="Size", value="Small")
        weight = gr.Slider(1, 30, value=2, label="Weight")
        fragile = gr.Checkbox(label="Fragile")
        printed = gr.Markdown()
        gr.Button("Print").click(label, [name, size, weight, fragile], printed)
    with gr.Tab("Chat"):
        gr.ChatInterface(lambda message, history: f"You wrote: {message}", title="Parcels")
    with gr.Tab("Shelves"):
        rows = [[f"Shelf {number}", number * 7 % 40] for number in range(1, 301)]
        gr.Dataframe(rows, headers=["shelf", "boxes"], max_height=400)

demo.launch(server_name="127.0.0.1", server_port=int(os.environ["BENCH_PORT"]), quiet=True)
