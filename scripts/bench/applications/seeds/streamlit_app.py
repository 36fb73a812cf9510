"""A page of everyday Streamlit widgets: a report with a table, and a form in a second tab."""

import pandas as pd
import streamlit as st

st.set_page_config("Harvest", layout="wide")
report, form = st.tabs(["Harvest", "New field"])
with report:
    st.header("Harvest")
    farm = st.text_input("Farm")
    crops = st.multiselect("Crops", ["Barley", "Maize", "Oats", "Rye"], default=["Barley", "Rye"])
    share = st.slider("Loss in %", 0, 50, 5)
    rows = [
        {"crop": crop, "week": week, "tons": round((week * 7 + len(crop)) * (1 - share / 100), 1)}
        for crop in crops
        for week in range(20, 40)
    ]
    left, right = st.columns(2)
    left.metric("Tons", f"{sum(row['tons'] for row in rows):,.1f}")
    right.metric("Weeks", len(rows))
    st.dataframe(pd.DataFrame(rows), height=250)
with form, st.form("field"):
    st.text_input("Name")
    st.number_input("Hectares", 1, 500, 12)
    st.selectbox("Soil", ["Clay", "Loam", "Sand"])
    st.date_input("Sown on")
    st.form_submit_button("Add")
